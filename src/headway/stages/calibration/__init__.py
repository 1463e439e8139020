"""How sure a stage is of each word.

- `evidence`: margins of the stage, and what the sentence looks like
- `additive`: probabilities from evidence; `calibrator`: the probabilities of one stage, as its model keeps them
- `written`: confidences in MISC and comments
"""
