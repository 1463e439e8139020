"""Tables, charts and pages, as Markdown, LaTeX and HTML, for every part that reports something.

- `page`: a title, sections, tables of text and figures; the page as Markdown, and as HTML with its look.
- `latex`: the tables of a page for a paper.
- `charts`: bars, lines, heat maps; `figure`: a picture in SVG, its pieces and its axes.
"""
