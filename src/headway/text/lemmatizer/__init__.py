"""The lemmatizer: words with their tags to lemmas, by edit scripts.

options.py        what can be said of a lemmatizer
training.py       learning one from a treebank
lemmatizer.py     the stage itself
file_schema.py    what a model file may hold of it
updating.py       learning from corrected lemmas
explaining.py     why a word got its lemma
edit_scripts.py   how a lemma comes from a form, and which scripts fit a form
script_parts.py   the parts that scripts share, to which weights belong
word_keys.py      words as the dictionary of known lemmas and features see them
"""
