"""How good a parser is: scores, where the errors are, and whether a difference means anything.

- `evaluate`: all scores of a system's file against a gold file; the metrics themselves are in `metrics/`.
- `definitions`: which words count and which labels are the same; `scores`: counts of right items and what they come to.
- `significance`: p-values of the difference between two systems.
- `report`: scores, tests and breakdowns of several systems together; `tables`: its tables and its page;
  `flat`: its numbers as CSV.
- `breakdowns`: scores by label, tag, arc length and so on, and what is taken for what.
- `comparison`: which heads and labels are right, word by word.
- `columns`: a treebank as arrays; sentences that cannot be read in one file are left out of all.
- `alignment`: which word of one file is which word of the other.
- `side_by_side`: each sentence with its counterpart in another file, for pictures.
"""
