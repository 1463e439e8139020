"""Random campaigns against the whole package: what nobody thought of is tried, and every finding can be repeated.

`python tests/campaigns NAME --cases N --seed S` tries N cases; without a name all campaigns run, at their full size or
with `--share` at a part of it. A case is drawn from the seed and its number alone, and runs in a child process, so that
a crash or an endless loop is a finding and not the end.
"""
