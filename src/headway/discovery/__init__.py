"""Feature discovery: a search for the feature model that parses a treebank best, on one machine or a cluster.

- `discover`: the search with its treebanks, journal and output
- `options`, `keywords`: what users may choose; the same as types, generated
- `families`: which stages can be searched for, their scores and where a search begins
- `search`: generation by generation, each a step away from the best sets of the last
- `moves`, `successors`: the sets one step away, and the features next to those of a set
- `measuring`: candidates as jobs of workers; `measure`: how they are measured, and what they came to
- `evaluators`, `columns`: train a candidate; values of features, found once for all candidates
- `correct_counts`: what a stage gets right, sentence by sentence
- `models`: from chosen features to a feature model and its file
- `treebanks`: the sentences as bytes for workers
- `history`, `reports`: what a journal says of a search, as data and as pages
"""
