"""Sentences to draw, and what is drawn of them as text."""

from headway import Sentence
from headway.show.text import draw


def words(heads, forms=None, labels=None):
    """A sentence of these heads, with labels `r1`, `r2`, … where none are given."""
    numbers = range(1, len(heads) + 1)
    forms = forms or [f"w{number}" for number in numbers]
    return Sentence(forms=forms, heads=heads, deprels=labels or [f"r{number}" for number in numbers])


def body(*arguments, **options):
    """The lines of a picture below its heading."""
    return draw(*arguments, **options).split("\n\n", 1)[1].split("\n")
