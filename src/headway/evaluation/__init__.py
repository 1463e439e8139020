"""How good a parser is: scores, where the errors are, and whether a difference means anything.

- `evaluate`: all scores of a system's file against a gold file; the metrics themselves are in `metrics/`.
- `significance`: p-values of the difference between two systems.
- `report`: scores, tests and breakdowns of several systems together; `tables` and `page` show them.
- `breakdowns`: scores by label, tag, arc length and so on; `confusions`: what is taken for what.
- `comparison`: which heads and labels are right, word by word.
- `columns`: a treebank as arrays.
- `alignment`, `character_alignment`: which word of one file is which word of the other.
- `readable`: leaving a sentence that cannot be read in one file out of all.
- `side_by_side`: each sentence with its counterpart in another file, for pictures.
"""
