"""What segmenter, tagger and lemmatizer share: choosing at one position after the other, along a sequence.

deciding.py      choices, positions, and weights that decide
training.py      learning such weights in passes over a treebank
explaining.py    why something was chosen
dictionary.py    tables from keys (hashes of words) to numbers
"""
