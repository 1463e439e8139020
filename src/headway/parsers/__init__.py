"""Parsers: three families that answer the same questions in files of the same names.

In each: `options` (what users set), `parser` (the model), `registry` (parts by name), `training` (learning from a
treebank, and what is known of it), `updating` (learning from corrections and from more trees), `constraining` (trees
that obey constraints), `explaining` (why a tree was found).
`contracts` checks parts of your own. No family imports another.
"""
