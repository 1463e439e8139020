"""Transition parsing: configurations, systems, oracles, learning, parsing."""
