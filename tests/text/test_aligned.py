"""The text of treebanks with their tokens."""

import numpy as np
import pytest

import headway
from headway import Sentence
from headway.data.sample import generate
from headway.data.sources import batches_of, rebatched
from headway.text.segmenter import SENTENCE, TOKEN
from headway.text.segmenter.aligned import aligned

NOTHING = "\t".join("_" * 7)


def sentence(*tokens, text=None, new=False):
    lines = ["# newpar"] * new + ([f"# text = {text}"] if text else [])
    for number, token in enumerate(tokens, 1):
        form = token.removesuffix("+")
        lines.append(f"{number}\t{form}\t{NOTHING}\t{'SpaceAfter=No' if token != form else '_'}")
    return "\n".join([*lines, "", ""])


def learned_from(*sentences):
    found = aligned(batches_of(headway.from_conllu("".join(sentences))))
    return found, found.codes.tobytes().decode("utf-32-le")


def cut(found, text):
    """The tokens by where the marks are, with a bar behind sentences."""
    pieces, begin = [], 0
    for end in np.flatnonzero(found.marks).tolist():
        pieces.append(text[begin:end].strip() + ("|" if found.marks[end] == SENTENCE else ""))
        begin = end
    return pieces


def test_spaces_and_paragraphs():
    found, text = learned_from(
        sentence("Go", "on+", "!+", text="Go  on!"), sentence("Why+", "?"), sentence("10 000", "dogs", new=True)
    )
    assert text == "Go  on!Why?\n\n10 000 dogs"
    assert cut(found, text) == ["Go", "on", "!|", "Why", "?|", "10 000", "dogs|"]
    assert found.begins == [0, 13] and found.ends == [11, 24] and found.unfit == 2
    assert found.last == [False, False, True, False, True, False, True]


def test_a_text_that_does_not_fit_is_made_anew():
    found, text = learned_from(sentence("Dogs", "bark+", ".", text="Cats bark."), sentence("Yes"))
    assert text == "Dogs bark. Yes" and found.unfit == 2
    assert cut(found, text) == ["Dogs", "bark", ".|", "Yes|"]


@pytest.mark.parametrize(("end", "between"), [("。+", ""), ("。", " ")])
def test_where_every_sentence_is_a_paragraph_all_are_one(end, between):
    found, text = learned_from(*(sentence("好+", end, new=True) for _ in range(3)))
    assert text == between.join(["好。"] * 3) and found.begins == [0] and found.ends == [len(text)]


def test_all_tokens_of_a_treebank_are_there():
    batches = list(batches_of(generate(80, seed=4)))
    found = aligned(batches)
    text = found.codes.tobytes().decode("utf-32-le")
    assert [piece.rstrip("|") for piece in cut(found, text)] == [token.form for token in found.tokens]
    assert (found.marks == SENTENCE).sum() == 80 and found.unfit == 0
    assert (found.marks >= TOKEN).sum() == len(found.tokens)
    assert [token.words for token in found.tokens if token.words] == [
        tuple(s.forms[span.first - 1 : span.last]) for s in generate(80, seed=4) for span in s.multiwords
    ]


@pytest.mark.parametrize("form", ["bark\u00a0", "\u2028bark", "\u00a0", "\u3000"])
def test_spaces_around_tokens_belong_to_none(form):
    made = [Sentence(["Dogs", form], misc=["_", after]) for after in ("_", "SpaceAfter=No")]
    for some in ([made[0]], made, [*made, Sentence(["\u00a0"])]):
        found = aligned(rebatched(some))
        text = found.codes.tobytes().decode("utf-32-le")
        assert text == text.strip()
        assert {token.form for token in found.tokens} == {"Dogs", form.strip()} - {""}
    headway.train(made * 3, pipeline=True, without="parser,tagger,lemmatizer", passes=1)
