"""The formats of treebanks, and reading and writing them.

- `format`: what a tab-separated format is, and those that are known; `recognition`: which of them a file is
- `reading`: `read` and its `Reader`, for every format; `InputReader` also for text and words, for `headway parse`
- `tabular`: bytes of a tab-separated format to batches; `problems`: what to say about bad files
- `penn`, `brackets`, `headrules`: trees in brackets, and the dependencies that head rules make of them
- `rendering`: batches to bytes; `writing`: batches to files, or to the text of a treebank, and what is lost
"""
