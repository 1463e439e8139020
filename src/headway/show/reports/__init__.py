"""Tables, charts and pages, as Markdown and as HTML, for every part that reports something.

- `table`: a table of text, and how numbers, p-values and durations are written.
- `page`: a title, sections, tables and figures; `markdown` and `html` write it down, `style` is its look.
- `figure`: a picture in SVG and its pieces; `axes` has the numbers along its sides.
- `bars`, `lines`, `heat_map`: the charts.
"""
