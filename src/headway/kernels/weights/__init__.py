"""Weights: learned step by step or all at once, packed for parsing, added up."""
