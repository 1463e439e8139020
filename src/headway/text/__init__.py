"""Stages before the parser: from text to words, tags and lemmas."""
