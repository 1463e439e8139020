"""What a parser looks at: the feature language, named feature models as text, and their compilation."""
