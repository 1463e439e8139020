"""Explanations of lemmatizers: contributions add up to what the kernel says, and lemmas are those that are given."""

import numpy as np
import pytest

import headway
from headway.data.sample import generate
from headway.data.sources import batches_of
from headway.features.encode import column_of, keys_of
from headway.features.language import parse
from headway.stages.explanation.contract import Explains
from headway.text.lemmatizer.explaining import FAMILIAR
from headway.text.lemmatizer.word_keys import PIECES, WHOLE, LemmaWords


@pytest.fixture(scope="module")
def parser():
    return headway.train(list(generate(40, seed=1)), parser="lemmatizer", passes=2, familiar=4.0, size="full")


def test_contributions_add_up_to_the_margins_of_the_kernel(parser):
    [stage] = parser.stages
    assert isinstance(stage, Explains)
    close = learned = 0
    for sentence in generate(40, seed=4):
        [batch] = batches_of([sentence])
        words = LemmaWords(batch, stage.tags)
        choices, positions, chosen = stage.decide(words)
        best, _, both = stage.margins(choices, positions)
        margins = both[:, 0]
        found = parser.explain(sentence)
        assert found.sentence.lemmas == parser.parse(sentence).lemmas and len(found.decisions) == len(sentence)
        for at, decision in enumerate(found.decisions):
            assert decision.what.endswith(f": {found.sentence.lemmas[at]} ({stage.scripts[chosen[at]]})")
            if np.isinf(margins[at]):
                assert decision.margin is None and decision.is_usual and not decision.reasons()
            elif chosen[at] == best[at]:
                learned += 1
                assert sum(group.difference for group in decision.groups()) == pytest.approx(decision.margin, abs=1e-4)
                assert decision.margin == pytest.approx(float(margins[at]), abs=1e-4)
                assert not decision.situation
            else:
                close += 1
                assert decision.margin < 0 and decision.situation == FAMILIAR
    assert learned > 20 and close > 0


def test_names_say_what_was_hashed(parser):
    [stage] = parser.stages
    sentence = headway.Sentence(["Some", "Zorblaxes", "sang"], upos=["DET", "NOUN", "VERB"])
    decision = parser.explain(sentence).of(2)[0]
    names = {decision.name(at) for at in range(len(decision.given))}
    assert {"SUFFIX2(WORD)=es & UPOS(WORD)=NOUN", "PREFIX1(WORD)=z"} <= names
    assert "SHAPE(WORD)=Xx+ & UPOS(WORD)=NOUN & UPOS(WORD-1)=DET" in names
    [batch] = batches_of([sentence])
    keys = stage.decide(LemmaWords(batch, stage.tags)).positions.keys
    for name in names:
        for part in name.split(" & "):
            [term] = parse(part.partition("=")[0])[0].terms
            column, offset = column_of(term.attribute), term.addresses[0].index
            kept = WHOLE if column.kind in (*PIECES, "lower", "shape") else column
            [key] = keys_of((part.partition("=")[2],), kept)
            assert keys[1 + offset, stage.templates.columns.index(term.attribute)] == key, part
