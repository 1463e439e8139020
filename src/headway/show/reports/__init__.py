"""Tables, plots and pages, as Markdown and as HTML, for every part that reports something.

It knows texts and numbers alone, and no other module of headway.
"""
