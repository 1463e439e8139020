"""Graph parsing: scores of arcs, decoders, learning, parsing."""
