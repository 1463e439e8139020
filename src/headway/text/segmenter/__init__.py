"""The segmenter: text to sentences, tokens and the words of multiword tokens."""
