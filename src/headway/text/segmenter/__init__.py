"""The segmenter: text to sentences, tokens and the words of multiword tokens.

options.py            what can be said of a segmenter
training.py           learning one from a treebank, and how multiword tokens are split
segmenter.py          the stage itself, and its part of a model file
explaining.py         why text was cut where it was
updating.py           learning from corrected cuts
learned_places.py     places that corrections have opened
characters.py         kinds of characters, and text as kernels read it
clusters.py           grapheme clusters, inside of which nothing is cut
patterns.py           strings that are one token, such as addresses
aligned.py            a treebank as text with the ends of its tokens
multiword_tokens.py   which tokens are multiword tokens, and how they are split
exceptions.py         tokens that users know better
paragraphs.py         text from strings and bytes in chunks, checked, in paragraphs
spaces.py             spaces of a text in the MISC column
writer.py             what was cut, and given tokens that are split, as batches of CoNLL-U
several_texts.py      many short texts as one batch
"""

INSIDE, TOKEN, SENTENCE = range(3)
"""What a place may be: inside a token, or the end of one, or of a sentence."""
ENDS, STOP, JOINED, TOKEN_ENDS, NO_STOP = range(5)
"""The sets of what may be decided at a place, as `segmenter.CHOICES` lists them."""
