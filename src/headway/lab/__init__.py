"""Experiments as recipes: small files, run by one engine, journaled, and reported on one page.

- `reading`, `entries`: a recipe file into `recipe` and `plans` (what is shown and claimed)
- `tasks`: the list of trainings that a recipe asks for; `sources`: their sentences
- `experiment`: runs and journals tasks and searches, says where they stand; `jobs`: a task as a process
- `measuring`, `metrics`: what a training comes to
- `tested_parsers`, `peers`: what is trained, and how
- `canaries`: whether a result would be the same today, and what made it
- `results`: what a journal says; `claims`, `differences`: claims, tested
- `reports`: the page of results
"""
