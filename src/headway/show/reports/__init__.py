"""Tables, charts and pages, as Markdown, LaTeX and HTML, for every part that reports something.

- `page`: a title, sections, tables of text and figures, and the page as Markdown; `html`: the page as HTML, its look.
- `latex`: the tables of a page for a paper.
- `charts`: bars, lines, heat maps; `figure`: a picture in SVG, its pieces and its axes.
"""
