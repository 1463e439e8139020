"""Structured boosting: local models of word pairs, trained again on what the parser got wrong.

Beside the files of every family (see `headway.parsers`): `schemes` (rounds of boosting), `pair_features` (what pairs
are known by), `local` (learners of pairs), `linear` and `estimators` (their models), `linker` and `decoder` (trees),
`labels` (labels of finished trees).
"""
