"""Graph parsing: scores of arcs, decoders, labels, learning, parsing."""
