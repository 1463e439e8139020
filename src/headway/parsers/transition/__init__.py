"""Transition-based parsing: read a sentence word by word and decide at each step what to do next.

Beside the files of every family (see `headway.parsers`): `classes` (actions with labels), `batch_training` (learners
that need all examples at once), `lockstep` (a parser of kernel machines), `enumeration` (systems by brute force).
"""
