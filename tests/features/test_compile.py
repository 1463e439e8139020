"""Compiled features against an evaluator that reads the language's definitions in plain Python."""

import random
from typing import NamedTuple

import numpy as np
import pytest
from derivations import LEFT, REDUCE, RIGHT, SHIFT, SWAP, SYSTEMS, label

from headway import Sentence
from headway.base.errors import HeadwayError
from headway.features.compile import compile_features
from headway.features.language import Address, Feature, Term, parse
from headway.features.vocabulary import STEPS
from headway.kernels.text import encode
from headway.kernels.transition import derivations
from headway.parsers.transition.enumeration import replay
from headway.parsers.transition.registry import ChosenSystem

NOTHING, ROOT = "nothing", "root"
LABELS = ["nsubj", "obj", "det"]


class Nodes(NamedTuple):
    """A configuration: lists of nodes, and the arcs so far as word → (head, label)."""

    stack: list
    queue: list
    arcs: dict


def configuration(system, n, actions, labels):
    """The configuration after some actions, from the definitions of the systems."""
    words = list(range(1, n + 1))
    stack, queue, arcs = [], words, {}
    if system.root == "end":
        queue = [*words, 0]
    elif system.root == "start":
        stack = [0]
    joining = False
    for action, name in zip(actions, labels, strict=True):
        if joining:
            stack, queue = joined(system, n, Nodes(stack, queue, arcs), action, name)
            continue
        if action == SHIFT:
            stack.append(queue.pop(0))
        elif action == REDUCE:
            stack.pop()
        elif action == SWAP:
            queue.insert(0, stack.pop(-2))
        elif system.name == "arc-eager":
            if action == LEFT:
                arcs[stack.pop()] = (queue[0], name)
            else:
                arcs[queue[0]] = (stack[-1], name)
                stack.append(queue.pop(0))
        else:
            child = stack.pop(-2 if action == LEFT else -1)
            arcs[child] = (stack[-1], name)
        roots = [word for word in range(1, n + 1) if word not in arcs or arcs[word][0] == 0]
        final = queue == [0] and not stack if system.root == "end" else not queue
        if system.name == "arc-eager" and system.single_root and final and len(roots) > 1:
            joining = True
            arcs = {word: arc for word, arc in arcs.items() if arc[0] != 0}
            stack, queue = [0] * (system.root == "start") + roots[:-1], sentence_from(system, n, roots[-1])
    return Nodes(stack, queue, arcs)


def sentence_from(system, n, word):
    return [*range(word, n + 1)] + [0] * (system.root == "end")


def joined(system, n, nodes, action, name):
    """Stack and queue after a word on the root was joined with another, or with the root; the arc is added."""
    stack, queue, arcs = nodes
    if action == LEFT:
        head, child = queue[0], stack.pop()
    else:
        head, child = stack[-1], queue[0]
        if head != 0:
            queue = sentence_from(system, n, stack.pop())
    arcs[child] = (head, name)
    if head == 0 or (not stack and system.root == "none"):
        return stack, []
    return (stack, queue) if stack else (queue[:1], [0])


def node_at(nodes, n, address):
    places = nodes.stack[::-1] if address.place == "STACK" else nodes.queue
    node = places[address.index] if address.index < len(places) else None
    for step in address.path:
        if node is None:
            return None
        node = stepped(nodes, n, node, step)
    return node


def stepped(nodes, n, node, step):
    head = nodes.arcs[node][0] if node in nodes.arcs else None
    children = sorted(word for word, (above, _) in nodes.arcs.items() if above == node)
    before, after = [c for c in children if c < node], [c for c in children if c > node]
    siblings = sorted(word for word, (above, _) in nodes.arcs.items() if above == head and head is not None)
    found = {
        "h": [head],
        "lc": children[:1],
        "rc": children[-1:],
        "ls": [s for s in siblings if s < node][-1:],
        "rs": [s for s in siblings if s > node][:1],
        "pw": [node - 1] if node > 1 else [],
        "fw": [node + 1] if 0 < node < n else [],
        "ld": before[:1],
        "rd": after[-1:],
        "ld2": before[1:2],
        "rd2": after[-2:-1],
    }[step]
    return found[0] if found else None


def value_of(nodes, columns, term):
    """The value of a term, a list of values for FEAT."""
    n = len(columns["FORM"])
    node, *others = (node_at(nodes, n, address) for address in term.addresses)
    if term.attribute == "FEAT":
        cell = columns["FEATS"][node - 1] if node else "_"
        return [] if cell == "_" else cell.split("|")
    if node is None or None in others:
        return NOTHING
    if term.attribute == "DEP":
        return nodes.arcs[node][1] if node in nodes.arcs else "no label"
    if term.attribute == "LEFT":
        return sum(above == node > word for word, (above, _) in nodes.arcs.items())
    if term.attribute == "RIGHT":
        return sum(above == node < word for word, (above, _) in nodes.arcs.items())
    if node == 0 or 0 in others:
        return ROOT
    if term.attribute == "DISTANCE":
        gap = abs(node - others[0])
        return gap if gap <= 5 else "6 to 10" if gap <= 10 else "more"
    return cell_of(columns, node - 1, term.attribute)


def cell_of(columns, at, attribute):
    form = columns["FORM"][at]
    if attribute.startswith("PREFIX"):
        return form[: int(attribute[-1])]
    if attribute.startswith("SUFFIX"):
        return form[-int(attribute[-1]) :]
    if attribute == "LOWER":
        return form.lower()
    if attribute.startswith("FEATS:"):
        pairs = dict(pair.split("=") for pair in columns["FEATS"][at].split("|") if "=" in pair)
        return pairs.get(attribute[6:], "_")
    return columns[attribute][at]


def values(nodes, sentence, model):
    """Template and values of every feature, in the order of the model."""
    columns = {field: sentence.column(field) for field in ("FORM", "LEMMA", "UPOS", "XPOS", "FEATS")}
    for number, feature in enumerate(model):
        each = [""]
        others = []
        for term in feature.terms:
            value = value_of(nodes, columns, term)
            if isinstance(value, list):
                each = value
            else:
                others.append(value)
        for piece in each:
            yield number, *others, piece


def random_sentence(chance, n):
    def pick(*cells):
        return [chance.choice(cells) for _ in range(n)]

    return Sentence(
        forms=pick("Öl", "öl", "Ölung", "a", "日本語", "_"),
        lemmas=pick("x", "y"),
        upos=pick("NOUN", "VERB"),
        xpos=pick("N", "V", "_"),
        feats=pick("_", "Case=Nom", "Case=Acc|Number=Sing", "Number=Sing", "A|B", "Number[psor]=Sing|Case=Nom"),
    )


def random_model(chance):
    """Every attribute and every step, alone and joined at random."""
    places = [Address(place, index) for place in ("STACK", "QUEUE") for index in (0, 1, 3)]
    addresses = [*places, *(Address(chance.choice(["STACK", "QUEUE"]), 0, (step,)) for step in STEPS)]
    addresses += [Address("STACK", 0, ("h", "lc")), Address("STACK", 0, ("ld", "rs")), Address("STACK", 1, ("h", "h"))]
    names = "FORM LOWER LEMMA UPOS XPOS FEATS FEATS:Case FEATS:Number[psor] DEP PREFIX1 PREFIX2 SUFFIX2 LEFT RIGHT FEAT"
    terms = [Term(name, (chance.choice(addresses),)) for name in names.split() for _ in range(8)]
    terms += [Term("DEP", (address,)) for address in addresses] + [Term("FORM", (address,)) for address in addresses]
    terms += [Term("DISTANCE", (chance.choice(addresses), chance.choice(addresses))) for _ in range(10)]
    model = {Feature((term,)): None for term in terms}
    for _ in range(150):
        feature = Feature((chance.choice(terms),)) & Feature((chance.choice(terms),)) & Feature((chance.choice(terms),))
        if sum(term.attribute == "FEAT" for term in feature.terms) < 2:
            model[feature] = None
    return list(model)


def random_walk(chance, system, n):
    """Some legal actions with labels."""
    actions, labels = [], []
    for _ in range(chance.randrange(3 * n)):
        here = replay(system, actions, [0] * n)
        if here.final:
            break
        actions.append(chance.choice(here.legal))
        labels.append(chance.randrange(len(LABELS)))
    return actions, labels


def keys_after(system, templates, sentence, actions, labels):
    encoded = templates.encode(sentence.batch)
    arrays = (np.array(actions, np.int32), np.array(labels, np.int32))
    label_keys = np.array([encode.key_of(name.encode()) for name in LABELS], np.uint64)
    return derivations.keys_after(system.kernel, *arrays, templates.kernel, encoded.kernel, label_keys).tolist()


@pytest.mark.parametrize("system", SYSTEMS, ids=label)
def test_two_keys_are_the_same_if_and_only_if_the_values_are(system):
    chance = random.Random(label(system))
    model = random_model(chance)
    templates = compile_features(model)
    model = templates.features
    key_of, values_of = {}, {}
    for _ in range(70):
        sentence = random_sentence(chance, chance.choice([1, 2, 3, 6, 13]))
        actions, labels = random_walk(chance, system, len(sentence))
        nodes = configuration(system, len(sentence), actions, [LABELS[number] for number in labels])
        expected = list(values(nodes, sentence, model))
        keys = keys_after(system, templates, sentence, actions, labels)
        assert len(keys) == len(expected)
        for key, value in zip(keys, expected, strict=True):
            assert key_of.setdefault(value, key) == key, (str(model[value[0]]), value)
            assert values_of.setdefault(key, value) == value, (str(model[value[0]]), value)
    assert len(key_of) > 1000


def test_the_key_of_a_feature_does_not_depend_on_its_neighbours():
    """So that a model reduced or extended means the same by what it has in common with another."""
    sentence = random_sentence(random.Random(1), 5)
    model = parse("POS(STACK0)\nLEX(QUEUE0) & DEP(STACK0)\nDISTANCE(STACK0, QUEUE0)\nFEATS:Case(QUEUE1)")
    together = keys_after(ChosenSystem(), compile_features(model), sentence, [SHIFT], [0])
    for feature, key in zip(model, together, strict=True):
        assert keys_after(ChosenSystem(), compile_features([feature]), sentence, [SHIFT], [0]) == [key]


def test_illegal_actions_raise():
    templates = compile_features(parse("POS(STACK0)"))
    sentence = random_sentence(random.Random(1), 2)
    for actions in ([REDUCE], [SWAP], [7], [-1], [SHIFT, SHIFT, RIGHT]):
        with pytest.raises(ValueError, match=f"is not legal as action {len(actions)}"):
            keys_after(ChosenSystem(), templates, sentence, actions, [0] * len(actions))


def test_nodes_values_and_columns_are_shared():
    templates = compile_features(parse("POS(STACK0 h h)\nLEX(STACK0 h) & POS(STACK0 h h)\nPREFIX2(STACK0)"))
    assert len(templates.address) == 3
    assert len(templates.slot) == 3
    assert [column.field for column in templates.columns] == ["XPOS", "FORM", "FORM"]


@pytest.mark.parametrize(
    ("model", "words"),
    [
        ("", "the feature model has no features; name at least one"),
        ("pairs(FEAT(STACK0), FEAT(QUEUE0))", r"FEAT\(STACK0\) & FEAT\(QUEUE0\): FEAT stands twice"),
        ("POS(STACK0 " + "h " * 3000 + ")", "3001 nodes and 1 values; at most 128 and 512"),
        (
            "\n".join(
                f"{a}(STACK{i})" for i in range(60) for a in ["POS", "LEX", *(f"PREFIX{n}" for n in range(1, 9))]
            ),
            "60 nodes and 600 values",
        ),
    ],
    ids=["empty", "FEAT twice", "nodes", "values"],
)
def test_what_cannot_be_compiled_is_refused(model, words):
    with pytest.raises(HeadwayError, match=words):
        compile_features(parse(model))
