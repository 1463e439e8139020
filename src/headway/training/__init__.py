"""Training models.

- `train`: `headway.train`, `headway.continue_training`, and which stages are trained
- `train_stages`: trains one stage after the other; `loop`: trains one; `continue_stages`: trains them further
- `families`: families of stages by name; `contract`: what each gives the loop
- `passes`: trainings in passes, and more passes for a finished parser
- `options`: what can be chosen; `keywords`: the same as types, generated; `tuning`: choosing by measuring
- `checkpoint`: resuming an interrupted training, and Ctrl-C within a step
- `dev_scores`: scores on dev; `familiar`: treebanks that are not new to a model
- `jackknife`: output on text that a stage has not seen; `calibrating`: how sure it is
- `active_learning`: what to annotate next
- `cross_validate`: how good a parser can be expected to be; `stage_costs`: what each stage costs
- `model_facts`: what `headway info` says of a model
"""
