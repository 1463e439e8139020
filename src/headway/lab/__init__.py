"""Experiments as recipes: small declarative files, run by one engine, journaled, and reported on one page."""
