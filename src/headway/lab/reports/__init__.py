"""The page of results: tables and figures of the recipes' journals.

- `page`: the whole of it, with notes on where numbers come from; `figures`: plots and heat maps
- `tables`: tables of metrics, with ranks, and with means, mean ranks and exponents below them
- `search_tables`: searches beside papers and beside each other
"""
