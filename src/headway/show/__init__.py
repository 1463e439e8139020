"""Trees and results for people: text, SVG and self-contained HTML pages."""
