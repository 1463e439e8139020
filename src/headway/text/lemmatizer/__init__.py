"""The lemmatizer: words and tags to lemmas, by edit scripts."""
