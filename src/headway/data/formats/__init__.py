"""The formats of treebanks, by name, and reading and writing them."""
