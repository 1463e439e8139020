"""The names of the ways to mark lifted arcs in labels, which `pseudoprojective` knows. Nivre and Nilsson (2005)."""

ENCODINGS = ("head", "path", "head+path", "none")
