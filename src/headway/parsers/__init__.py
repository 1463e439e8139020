"""Parsers: three families that answer the same questions in files of the same names.

In each: `options` (what users set), `parser` (the model), `registry` (parts by name), `training_data` and `training`
(learning from a treebank), `continuing` (learning from more trees), `updating` (learning from a correction),
`constraining` (trees that obey constraints), `explaining` (why a tree was found).
`contracts` checks parts of your own. No family imports another.
"""
