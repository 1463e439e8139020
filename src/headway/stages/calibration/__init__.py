"""How sure a stage is of each word.

- `evidence`: margins of the stage, and what the sentence looks like
- `additive`: probabilities from evidence; `confidences`: those of one stage, as its model, MISC and comments have them
"""
