"""Parsing with a model.

- `parser`: `headway.Parser` and `headway.load`
- `options`, `keywords`: options of parsing, and the same for type checkers
- `read_input`: treebanks, text and words become batches
- `parse_batches`: what is done to each batch; `threads` of them at once
- `parse_files`: files to files
"""
