"""The page of results: tables and figures of the recipes' journals.

- `page`: the whole of it, with notes on where numbers come from; `figures`: plots and heat maps
- `tables`: tables of metrics; `summary_rows`: the ranks in them, and means, mean ranks and exponents below them
- `search_tables`: tables of searches
"""
