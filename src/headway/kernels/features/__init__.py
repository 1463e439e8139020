"""Features as keys and hashes: of nodes of a tree, of arcs, of pairs of words."""
