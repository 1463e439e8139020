"""Graph-based parsing: every arc has a score, and the best tree is searched among all of them.

Beside the files of every family (see `headway.parsers`): `decoders` (what all share), `eisner`, `chu_liu_edmonds`,
`scoring` (all scores of one sentence), `ranking` (the k best trees).
"""
