"""What segmenter, tagger and lemmatizer share: choosing at one position after the other, along a sequence.

deciding.py      choices, positions, weights that decide, and tables from keys (hashes of words) to numbers
training.py      learning such weights in passes over a treebank
updating.py      steps towards what is right, for corrections
continuing.py    passes of such corrections over another treebank
explaining.py    why something was chosen
"""
