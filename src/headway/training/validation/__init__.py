"""How good a parser can be expected to be, from one treebank."""
