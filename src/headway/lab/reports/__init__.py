"""The page of results: tables and figures of the recipes' journals.

- `page`: the whole of it; `provenance`: notes on where numbers come from
- `tables`, `ranks`, `fitting`: tables of metrics, mean ranks, exponents of growth
- `search_tables`: tables of searches; `figures`: plots and heat maps
"""
