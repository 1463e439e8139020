"""Stages before the parser: from text to words, tags and lemmas.

segmenter/    text to sentences and tokens
tagger/       words to tags and morphological features
lemmatizer/   words and tags to lemmas
sequence/     what the three share: choosing at one position after the other
lexicon.py    a file of words with their lemmas and tags
"""
