"""Treebanks.

- `formats/`: reading and writing; `sources`: batches of files, readers and lists
- `sentence`, `tokens`, `cells`: one sentence, its words, its cells and lines
- `batch`, `layers`: many sentences as arrays, and what stages found out about them
- `trees`: questions about trees; `pseudoprojective`, `encodings`: lifting arcs until a tree is projective, and back
- `split`: cutting a treebank into parts; `treebank_facts`: what `headway info` reports
- `sample/`: the generated treebank
"""
