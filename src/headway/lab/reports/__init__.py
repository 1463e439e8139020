"""The page of results: tables and figures of the recipes' journals.

- `page`: the whole of it, with plots and heat maps, and notes on where numbers come from
- `tables`: tables of metrics, with deviations over seeds, ranks, and with means, mean ranks and exponents below them
- `numbers`: all numbers as rows, for CSV
- `search_tables`: searches beside papers and beside each other
"""
