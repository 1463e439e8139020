"""How good a model can be expected to be.

- `cross_validate`: each part of a treebank parsed by what was trained on the others; `fold_scores`: its scores
- `stage_costs`: what each stage of a pipeline costs
"""
