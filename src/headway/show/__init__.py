"""Trees and results for people: in the terminal, as SVG pictures and as self-contained HTML pages.

- `text`: a tree in box-drawing characters, with its arcs above the words or beside them.
- `svg`, `html`: a tree as a picture, and pages of pictures.
- `arcs`: what all pictures share: arcs, their levels, where the words go; `canvas`: a grid of characters.
- `choose`: which sentences of a file to show, such as those in which two files differ, by what they confuse.
- `reports/`: tables, charts and pages.
"""
