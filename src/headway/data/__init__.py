"""Treebanks: their formats, sentences one by one and many at once, trees, the generated sample."""
