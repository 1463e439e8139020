"""The segmenter: text to sentences, tokens and the words of multiword tokens.

options.py              what can be said of a segmenter
training.py             learning one from a treebank
segmenter.py            the stage itself, and its part of a model file
explaining.py           why text was cut where it was
feature_names.py        what features are called in explanations
characters.py           kinds of characters, and text as kernels read it
aligned.py              a treebank as text with the ends of its tokens
multiword_tokens.py     which tokens are multiword tokens, and how they are split
multiword_training.py   learning that from a treebank
exceptions.py           tokens that users know better
utf8.py                 text from strings and bytes, checked
paragraphs.py           paragraphs of a text that comes in chunks
spaces.py               spaces of a text in the MISC column
writer.py               what was cut, as batches of CoNLL-U
"""
