"""A small segmenter and texts to try it on."""

from functools import cache

from hypothesis import strategies as st

from headway.data.sample import generate
from headway.data.sources import batches_of
from headway.text.segmenter.options import SegmenterOptions
from headway.text.segmenter.segmenter import Segmenter

ODD = [
    *(
        "\u200b",
        "\u200d",
        "\u2060",
        "\ufeff",
        "\u0301",
        "\u0000",
        "\u0001",
        "\x1c",
        "\x85",
        "\u2028",
        "\u2029",
        "\u3000",
    ),
    *(
        "\r\n",
        "\n\n",
        "\n \n",
        "\t",
        "|",
        "\\",
        "\\s",
        "_",
        "#",
        "# text = x",
        "…",
        "。",
        "漢字",
        "かな",
        "שלום",
        "🙂",
        "👩‍👧",
        "ﬁ",
        "İ",
    ),
    *("Mr. Smith", "don't", "z.B.", "3.5", "e.g.", "www.example.org/a?b=c", '"Well,"', "(yes)", " ", ". ", "A", "a"),
]
text = st.lists(st.sampled_from(ODD) | st.text(st.characters(codec="utf-8"), max_size=8), max_size=30).map("".join)
"""Texts of odd characters, of any characters, and of what is hard to cut."""


@cache
def segmenter(sentences: int = 150, passes: int = 3) -> Segmenter:
    """A segmenter for generated sentences."""
    training = SegmenterOptions(passes=passes).begin(list(batches_of(generate(sentences, seed=1))))
    for number in range(1, passes + 1):
        training.step(number, lambda share: None)
    return training.candidates()[0]
