"""Structured boosting: local predictors of links, trained again on what the parser got wrong."""
