"""Why a stage has decided as it has: decisions, their runners-up, and the features that made the difference."""

STAGES = ("segmenter", "tagger", "lemmatizer", "parser")
"""What of a model can be asked to explain itself."""
