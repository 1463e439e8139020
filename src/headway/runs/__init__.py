"""Where jobs of searches, cross-validation and experiments run: `--jobs` and `--engine`, not `--threads` of parsing.

- `engines`: what a job and an engine are, which engine a user asks for, and the results of jobs as they come
- `process_engine`, `dask_engine`: processes of this machine, a cluster; `engines` has that of jobs that start commands
- `journal`: the results of a long run, from which it goes on
"""
