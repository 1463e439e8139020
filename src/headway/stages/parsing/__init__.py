"""Parsing with a model.

- `parser`: `headway.Parser`; `loading`: `headway.load`
- `options`, `keywords`: options of parsing, and the same for type checkers
- `many_texts`: `parser.pipe`
- `parse_batches`: treebanks, text and words become batches; what is done to each, `threads` of them at once; files
"""
