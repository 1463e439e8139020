"""The tagger: words to their tags and morphological features.

options.py          what can be said of a tagger
training.py         learning one from a treebank
analyses.py         tags that go together
tagger.py           the stage itself, and its part of a model file
updating.py         learning from corrected tags
explaining.py       why a word got its tags
batch_words.py      the words of a batch as features see them
word_knowledge.py   what the treebank, the ends of words and a lexicon tell about words
"""

DECODERS = ("greedy", "beam", "viterbi")
"""How tags of a sentence are found."""
WIDEST = 1024
"""How many taggings Viterbi's algorithm keeps at most."""
