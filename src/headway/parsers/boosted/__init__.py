"""Structured boosting: local models of word pairs, trained again on what the parser got wrong.

Beside the files of every family (see `headway.parsers`): `rounds` and `schemes` (boosting), `local` (learners of
pairs), `linear` and `estimators` (their models), `examples` and `dynamic` (features of pairs), `linker` and `decoder`
(trees), `labels` (labels of finished trees).
"""
