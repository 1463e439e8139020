"""Weights: learned step by step or all at once, frozen for parsing, added up."""
