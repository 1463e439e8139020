"""Sequences: a class for each position, from what stands around it and what was decided before it."""
