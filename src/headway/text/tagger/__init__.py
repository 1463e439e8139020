"""The tagger: words to their tags and morphological features.

options.py          what can be said of a tagger
training.py         learning one from a treebank
tagger.py           the stage itself, and its part of a model file
explaining.py       why a word got its tags
analyses.py         tags that go together, and the parts they are made of
word_columns.py     words as features see them
word_knowledge.py   what the treebank, the ends of words and a lexicon tell about words
"""
