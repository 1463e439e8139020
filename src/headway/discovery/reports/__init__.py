"""The report of a search, and tables of searches: generations, rankings, races, beside a paper, beside each other."""
