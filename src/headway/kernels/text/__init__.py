"""Bytes to sentences, lines, cells and keys, and back."""
