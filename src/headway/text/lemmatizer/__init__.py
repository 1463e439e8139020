"""The lemmatizer: words with their tags to lemmas, by edit scripts.

options.py           what can be said of a lemmatizer
training.py          learning one from a treebank
lemmatizer.py        the stage itself, and its part of a model file
explaining.py        why a word got its lemma
edit_scripts.py      how a lemma comes from a form
fitting_scripts.py   which edit scripts fit a form
dictionary.py        lemmas that are known by heart
word_columns.py      words as features see them
"""
