"""What models are made of.

- `contract`: what every stage does, and what only some can; `tree_stage`: what all parsers share
- `pipeline`: a batch goes through stages in a row; `shared_pipeline`: in several threads while corrections change it
- `parsing/`: parsers as users have them, and what options of parsing mean
- `model_file`: the file format, and its bytes from a path, an open file or memory
- `needed_columns`: columns that an input lacks; `windows`: sentences too long for a decoder
- `constraints`, `obeying`: what trees must have, and what contradicts it; the tree that obeys
- `calibration/`: how sure a stage is; `explanation/`: why it decides as it does; `updating`: learning from a correction
- `scoring`: scores and marginals as arrays
- `gold`: trees to learn from; `stage_checks`: what every stage must do, for tests
"""
