"""Columns of one's own in MISC, as features: with each family, in explanations, and where a format has no MISC."""

import logging

import pytest

import headway
from headway.base.errors import HeadwayError
from headway.data.sample import generate
from headway.features.language import parse

STEPS = "FORM(STACK0)\nMISC:Told(STACK0)\nMISC:Told(QUEUE0)\nMISC:Told(STACK0) & MISC:Told(QUEUE0)\n"
ARCS = "FORM(CHILD)\nMISC:Told(PARENT) & MISC:Told(CHILD)\nMISC:Told(CHILD) & LABEL(CHILD)\n"
PAIRS = "FORM(FIRST)\nMISC:Told(FIRST) & MISC:Told(SECOND)\n"
FAMILIES = {
    "transition": {"features": STEPS, "passes": 2},
    "graph": {"features": ARCS, "order": 1, "bits": 14, "label_bits": 12, "passes": 2},
    "boosted": {"features": PAIRS, "label_features": ARCS, "rounds": 1},
}


def with_misc(sentence, cells):
    return sentence.replace(misc=cells, upos=None, xpos=None, feats=None, lemmas=None)


def telling(sentence):
    """MISC says what label a word has, between things that nobody asks for."""
    return with_misc(sentence, [f"A=1|Told={label}|SpaceAfter=No" for label in sentence.deprels])


@pytest.mark.parametrize("family", FAMILIES)
def test_what_misc_tells_is_learned(family, tmp_path, caplog):
    how = dict(FAMILIES[family])
    for name in {"features", "label_features"} & set(how):
        (tmp_path / name).write_text(how[name])
        how[name] = str(tmp_path / name)
    headway.train(map(telling, generate(40, seed=1)), parser=family, **how).save(tmp_path / "model")
    parser, test = headway.load(tmp_path / "model"), list(generate(15, seed=2))
    assert "MISC" in parser.needs
    told, silent = [telling(one) for one in test], [with_misc(one, ["SpaceAfter=No"] * len(one)) for one in test]
    found, blind = (headway.evaluate(some, parser.parse(some))["LAS"] for some in (told, silent))
    assert float(found) > float(blind) + 15
    names = [reason.feature for decision in parser.explain(told[0]).decisions for reason in decision.reasons()]
    assert any("MISC:Told(" in name and "=root" in name for name in names)
    caplog.set_level(logging.WARNING, "headway")
    conllx = tmp_path / "test.conll"
    headway.write(test, conllx, format="conllx")
    assert all(len(one) for one in parser.parse(str(conllx)))
    assert "MISC is not there, and the model looks at it" in caplog.text


def test_misc_alone_and_where_nobody_knows_it_are_refused(tmp_path):
    with pytest.raises(HeadwayError, match="MISC"):
        list(parse("MISC(STACK0)"))
    (tmp_path / "features").write_text("MISC:Told(WORD)")
    with pytest.raises(HeadwayError, match="MISC:Told is not known here"):
        headway.train(generate(5), parser="tagger", features=str(tmp_path / "features"))
