"""The tagger: words to their tags and morphological features."""
