"""How good a parser is: scores, where the errors are, and whether a difference means anything."""
