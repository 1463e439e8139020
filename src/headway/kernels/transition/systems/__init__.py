"""Transition systems: each in a file of its own, its oracle beside it."""
