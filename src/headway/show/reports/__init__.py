"""Tables, charts and pages, as Markdown and as HTML, for every part that reports something.

- `page`: a title, sections, tables of text and figures; the page as Markdown, and as HTML with its look.
- `charts`: bars, lines, heat maps; `figure`: a picture in SVG, its pieces and its axes.
"""
