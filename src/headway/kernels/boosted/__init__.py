"""Boosted parsing: scores of links in states, the best trees under them, their labels."""
