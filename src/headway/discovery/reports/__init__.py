"""What reports show of a search.

- `page`: the report of a search as Markdown and HTML
- `tables`: its tables: settings, best sets, rankings, beam, time
- `racing`: how well a short look foretells the full measure
- `comparisons`: searches beside a paper's and beside each other
"""
