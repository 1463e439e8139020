"""What a stage looks at: features as text, named models of them, and their compilation.

- `language`, `vocabulary`: text to features; what its words mean
- `registry`, `models/`: feature models by name and from files
- `encode`: the words of a batch as keys
- `compile`: features of configurations and of labels as arrays for kernels
- `own_columns`: values that Python functions give words
- `arcs`, `pairs`, `sequences`: the same for arcs, pairs of words, words in a row and places in a text
- `reduce`: leave out what says nothing on a treebank
- `naming`: features with their values in a sentence, for explanations
"""
