"""What segmenter, tagger and lemmatizer share: decisions along a sequence."""
