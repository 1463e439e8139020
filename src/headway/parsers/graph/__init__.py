"""Graph-based parsing: every arc has a score, and the best tree is searched among all of them.

Beside the files of every family (see `headway.parsers`): `decoders` (Eisner and Chu-Liu-Edmonds), `scoring` (all scores
of one sentence), `ranking` (the k best trees).
"""
