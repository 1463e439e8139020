"""The lemmatizer: words with their tags to lemmas, by edit scripts.

options.py        what can be said of a lemmatizer
training.py       learning one from a treebank
lemmatizer.py     the stage itself, and its part of a model file
updating.py       learning from corrected lemmas
explaining.py     why a word got its lemma
edit_scripts.py   how a lemma comes from a form, and which scripts fit a form
word_keys.py      words as the dictionary of known lemmas and features see them
"""
