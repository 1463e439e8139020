"""Feature discovery: a search for the feature model that parses a treebank best, on one machine or a cluster.

- `discover`: the search with its treebanks, journal and output
- `options`: what users may choose, and which stages can be searched for; `keywords`: the options as types, generated
- `search`: generation by generation, each a step away from the best sets of the last
- `successors`: the sets one step away, and the features next to those of a set
- `race`: the search from a whole feature model; `groups`: the groups of features by which it changes
- `measure`: how candidates are measured, what they came to, and their feature models and files
- `measuring`: measures as jobs, and their journal; `evaluators`: train; `right_counts`: count what is right
- `columns`: values of features, found once for all candidates
- `treebanks`: the sentences as bytes for workers
- `history`: what a journal says of a search; `report`: tables and pages of it, also of what racing would have changed
"""
