"""What a stage looks at: features as text, named models of them, and their compilation.

- `language`, `tokens`, `vocabulary`: text to features; its tokens; what its words mean
- `registry`, `models/`: feature models by name and from files
- `compile`: features of configurations and of labels as arrays for kernels, and the words of a batch as keys
- `arcs`, `pairs`, `sequences`, `characters`: the same for arcs, pairs of words, words in a row, places in a text
- `groups`: features of one word and its neighbours, whose scores are kept
- `reduce`: leave out what says nothing on a treebank
- `translation`: features of pairs of words for graph and transition parsers
- `naming`: features with their values in a sentence, for explanations
"""
