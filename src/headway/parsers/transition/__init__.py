"""Transition-based parsing: systems, oracles, and a parser that learns which transition comes next."""
