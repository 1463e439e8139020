"""Boosted parsing: scores of links in states, and the best trees under them; labels are in `graph/labels`."""
