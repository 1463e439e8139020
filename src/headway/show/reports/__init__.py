"""Tables, charts and pages, as Markdown and as HTML, for every part that reports something.

- `page`: a title, sections, tables of text and figures, and the page as Markdown; `html`: the page as HTML, its look.
- `charts`: bars, lines, heat maps; `figure`: a picture in SVG, its pieces and its axes.
"""
