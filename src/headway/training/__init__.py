"""Training models.

- `train`: `headway.train`, `continue_training`, `calibrate`
- `rows`: which stages are trained; `train_stages`: trains them one after the other; `loop`: trains one
- `contract`: what a family gives the loop; `families`: the families by name; `passes`: trainings in passes
- `run_options`, `learned_options`, `parser_options`, `keywords`: options
- `checkpoint`, `weight_state`: resuming an interrupted training; `interruptions`: Ctrl-C within a step
- `judging`: scores on dev; `familiar`: treebanks that are not new to a model
- `jackknife`: output on text that a stage has not seen; `calibrating`: how sure it is
- `tuning`: choosing options; `choices`: what a search has measured so far
- `continuing`, `learning_state`: more training for a finished parser; `active_learning`: what to annotate next
- `model_facts`: what `headway info` says of a model; `validation/`: cross-validation, and what each stage costs
"""
