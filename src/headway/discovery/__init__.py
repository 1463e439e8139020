"""Feature discovery: a search for the feature model that parses a treebank best, on one machine or a cluster."""
