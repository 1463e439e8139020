"""Breakdowns and confusions against a count word by word."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import trees

from headway import Sentence
from headway.base.errors import HeadwayError
from headway.data.trees import depths, nonprojective_arcs
from headway.evaluation.breakdowns import BREAKDOWNS, error_kinds, groups, label_confusions
from headway.evaluation.comparison import compare

LABELS = ["nsubj", "obj", "det"]
TAGS = ["NOUN", "VERB"]


@st.composite
def treebanks(draw):
    gold, system = [], []
    for _ in range(draw(st.integers(1, 3))):
        heads = draw(trees(max_size=10))
        others = draw(st.one_of(st.just(heads), trees(min_size=len(heads), max_size=len(heads))))
        forms = [draw(st.sampled_from(["a", "b", "."])) for _ in heads]
        sides = [
            {name: [draw(st.sampled_from(choices)) for _ in heads] for name, choices in columns.items()}
            for columns in ({"deprels": LABELS, "upos": TAGS, "xpos": TAGS},) * 2
        ]
        gold.append(Sentence(forms=forms, heads=heads, **sides[0]))
        system.append(Sentence(forms=forms, heads=others, **sides[1]))
    return gold, system


def bucket(value, *starts):
    if value < starts[0]:
        return "root"
    at = max(i for i, start in enumerate(starts) if start <= value)
    if at == len(starts) - 1:
        return f"{starts[-1]}+"
    last = starts[at + 1] - 1
    return str(starts[at]) if starts[at] == last else f"{starts[at]}–{last}"


def value(sentence, name, i):
    """The value of word i, from 0, for a breakdown."""
    head = int(sentence.heads[i])
    distance = head - i - 1
    match name:
        case "label":
            return sentence.deprels[i]
        case "upos":
            return sentence.upos[i]
        case "xpos":
            return sentence.xpos[i]
        case "length":
            return bucket(abs(distance) if head else 0, 1, 2, 3, 7)
        case "exact-length":
            return str(abs(distance)) if head else "root"
        case "distance":
            return f"{distance:+d}" if head else "root"
        case "direction":
            return "root" if not head else "left" if distance < 0 else "right"
        case "depth":
            return str(depths(sentence.heads)[i])
        case "sentence-length":
            return bucket(len(sentence), 1, 11, 21, 31, 41, 51)
        case "projectivity":
            return "non-projective" if nonprojective_arcs(sentence.heads)[i] else "projective"
    raise AssertionError(name)


def words(gold, system):
    for ours, theirs in zip(gold, system, strict=True):
        for i in range(len(ours)):
            if ours.forms[i] != ".":
                yield ours, theirs, i


@given(pair=treebanks(), name=st.sampled_from(sorted(BREAKDOWNS)))
@settings(max_examples=100)
def test_every_group_is_counted_word_by_word(pair, name):
    expected = {}
    for ours, theirs, i in words(*pair):
        mine, other = value(ours, name, i), value(theirs, name, i)
        head = int(ours.heads[i] == theirs.heads[i])
        label = ours.deprels[i] == theirs.deprels[i]
        expected.setdefault(mine, Counter()).update(gold=1, head_right=head, label_right=label, right=head and label)
        expected.setdefault(other, Counter()).update(system=1, right_in_system=head and label)
    found = groups(compare(*pair, definition="conllx"), name)
    fields = ("gold", "system", "head_right", "label_right", "right", "right_in_system")
    assert {group.value: {field: getattr(group, field) for field in fields} for group in found} == {
        key: {field: counts[field] for field in fields} for key, counts in expected.items()
    }


@given(pair=treebanks())
@settings(max_examples=60)
def test_confusions_and_errors_are_counted_word_by_word(pair):
    confused, heads_right, kinds = Counter(), Counter(), Counter()
    for ours, theirs, i in words(*pair):
        head = ours.heads[i] == theirs.heads[i]
        labels = ours.deprels[i], theirs.deprels[i]
        if labels[0] != labels[1]:
            confused[labels] += 1
            heads_right[labels] += bool(head)
        tags = [s.upos[s.heads[i] - 1] if s.heads[i] else "ROOT" for s in (ours, theirs)]
        what = {(False, False): "both", (False, True): "head", (True, False): "label"}
        if not head or labels[0] != labels[1]:
            wrong = what[bool(head), labels[0] == labels[1]]
            kinds[ours.upos[i], tags[0], labels[0], tags[1], labels[1], wrong] += 1
    comparison = compare(*pair, definition="conllx")
    found = label_confusions(comparison)
    assert {(c.gold, c.system): (c.count, c.head_right) for c in found} == {
        labels: (count, heads_right[labels]) for labels, count in confused.items()
    }
    assert [c.count for c in found] == sorted(confused.values(), reverse=True)
    errors = error_kinds(comparison)
    assert {tuple(vars(e).values())[:-1]: e.count for e in errors} == kinds
    assert [e.count for e in errors] == sorted(kinds.values(), reverse=True)


def test_rates_follow_from_counts():
    gold = Sentence(forms=["a", "b", "c"], heads=[2, 0, 2], deprels=["det", "root", "det"])
    system = gold.replace(heads=[3, 0, 2], deprels=["det", "det", "det"])
    by_label = {group.value: group for group in groups(compare([gold], [system], definition="all"), "label")}
    det = by_label["det"]
    assert (det.gold, det.system, det.right, det.right_in_system) == (2, 3, 1, 1)
    assert (det.recall, det.precision, det.f1) == (1 / 2, 1 / 3, pytest.approx(0.4))
    assert (det.uas, det.la) == (0.5, 1.0)
    assert by_label["root"].precision == by_label["root"].f1 == 0
    assert det.to_dict()["precision"] == det.precision


def test_labels_come_by_count_and_lengths_in_order():
    gold = Sentence(forms=list("abcd"), heads=[0, 1, 1, 1], deprels=["root", "x", "x", "obj"])
    comparison = compare([gold], [gold], definition="all")
    assert [group.value for group in groups(comparison, "label")] == ["x", "obj", "root"]
    assert [group.value for group in groups(comparison, "length")] == ["root", "1", "2", "3–6"]


def test_words_the_system_cuts_otherwise_count_on_their_own_side():
    gold = Sentence(forms=["ab", "c"], heads=[0, 1], deprels=["root", "obj"])
    system = Sentence(forms=["a", "b", "c"], heads=[0, 1, 1], deprels=["root", "det", "obj"])
    found = {group.value: group for group in groups(compare([gold], [system], definition="ud"), "label")}
    assert {label: (g.gold, g.system, g.right) for label, g in found.items()} == {
        "root": (1, 1, 0),
        "obj": (1, 1, 0),
        "det": (0, 1, 0),
    }


def test_an_unknown_breakdown_lists_the_known_ones():
    gold = Sentence(forms=["a"], heads=[0])
    with pytest.raises(HeadwayError, match="unknown breakdown 'tag'; known are: depth, direction"):
        groups(compare([gold], [gold]), "tag")
