"""Treebanks.

- `formats/`: reading and writing; `sources`: batches of files, readers and lists
- `document`: a text and its sentences; `placing`: where their words stand in it
- `sentence`, `tokens`, `cells`: one sentence, its words, its cells and lines
- `batch`, `layers`: many sentences as arrays, and what stages found out about them
- `parts`: some sentences of a batch, and where words stand in a text; `sentence_batches`: batches of one sentence
- `trees`: questions about trees; `pseudoprojective`, `encodings`: lifting arcs until a tree is projective, and back
- `split`: cutting a treebank into parts; `treebank_facts`: what `headway info` reports
- `sample/`: the generated treebank
"""
