"""Feature discovery: a search for the feature model that parses a treebank best, on one machine or a cluster.

- `discover`: the search with its treebanks, journal and output
- `options`: what users may choose, and which stages can be searched for; `keywords`: the options as types, generated
- `search`: generation by generation, each a step away from the best sets of the last
- `successors`: the sets one step away, and the features next to those of a set
- `measure`: how candidates are measured, and what they came to; `evaluators`: train them, count what is right
- `columns`: values of features, found once for all candidates
- `models`: from chosen features to a feature model and its file
- `treebanks`: the sentences as bytes for workers
- `history`: what a journal says of a search; `report`, `racing`, `comparisons`: tables and pages of it
"""
