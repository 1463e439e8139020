"""The formats of treebanks, and reading and writing them.

- `format`: what a tab-separated format is, and those that are known; `registry`: which of them a file is
- `reading`: `read` and its `Reader`, for every format; `inputs`: also text and words, as `headway parse` takes them
- `tabular`: bytes of a tab-separated format to batches; `problems`: what to say about bad files
- `penn`, `brackets`, `headrules`: trees in brackets, and the dependencies that head rules make of them
- `rendering`: batches to bytes; `writing`: batches to files, and what is lost; `plain_text`: the text of a treebank
"""
