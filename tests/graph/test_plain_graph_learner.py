"""The weights that the kernel learns from trees against those of a plain Python learner."""

import math
from collections import Counter
from functools import cache

import numpy as np
import pytest
from arc_reference import Reference
from scored_trees import best_with_siblings

from headway.data.sample import generate
from headway.data.sources import batches_of
from headway.features.arcs import compile_arcs
from headway.features.language import parse
from headway.kernels.graph import explaining, learning
from headway.kernels.graph.learning import hildreth
from headway.learners.registry import ONLINE, learner
from headway.parsers.graph.parser import GraphShape, graph_of
from headway.parsers.graph.registry import DECODERS
from headway.stages.gold import encode_all, trees_of

FEATURES = """
directed(UPOS(PARENT), LEX(CHILD), UPOS(PARENT) & UPOS(CHILD), LEMMA(PARENT) & LEMMA(CHILD))
UPOS(PARENT) & UPOS(BETWEEN) & UPOS(CHILD)
directed(UPOS(SIBLING) & UPOS(CHILD)), UPOS(PARENT) & UPOS(SIBLING) & UPOS(CHILD)
labelled(UPOS(PARENT) & UPOS(CHILD) & SIDE(PARENT, CHILD), LEX(CHILD))
"""
IN_TREES = (
    "labelled(DEP(PARENT) & UPOS(CHILD), UPOS(CHILD ls), UPOS(PARENT h), LEX(CHILD ld), FEAT(CHILD) & DEP(CHILD ls))"
)
BITS, LABEL_BITS = 12, 11
EMPTY = np.empty(0, np.float32)


@cache
class Task:
    """A little treebank, ready to be learned by the kernel and by hand; neither changes it."""

    def __init__(self, order=1, decoder="eisner", labels="after"):
        self.shape = GraphShape(
            decoder=decoder, order=order, labels=labels, bits=BITS, label_bits=LABEL_BITS, single_root=True
        )
        features = parse(FEATURES + (IN_TREES if labels == "after" else ""))
        if order == 1:
            features = [feature for feature in features if "SIBLING" not in str(feature)]
        templates = compile_arcs(features)
        self.sentences = [one for one in generate(40, seed=5) if len(one) < 11][:10]
        batches = list(batches_of(self.sentences))
        self.trees = trees_of(batches, "head" if DECODERS[decoder].projective else None)
        encoded = encode_all(templates, batches)
        self.graph = graph_of(self.shape, templates, self.trees.names, encoded, self.trees.longest)
        self.reference = Reference(features, BITS, LABEL_BITS, self.trees.names)
        self.part = cache(lambda s, *words: self.reference.part(self.sentences[s], *words))

    def gold(self, s):
        span = slice(self.trees.offsets[s], self.trees.offsets[s + 1])
        return [0, *self.trees.heads[span].tolist()], [None, *self.trees.labels[span].tolist()]


class PlainLearner:
    """Learns from whole trees with a dictionary's ways, over an array so that the kernel can score with it."""

    def __init__(self, task, chosen, *, square_root=False, labelled=False, augmented=False, k=1, wrong=False):
        self.task, self.chosen, self.k, self.wrong = task, chosen, k, wrong
        self.square_root, self.labelled, self.augmented = square_root, labelled, augmented
        size = task.shape.size
        self.weights, self.sums = np.zeros(size, np.float32), np.zeros(size, np.float32)
        self.variances = np.full(size, chosen.initial_variance, np.float32)
        self.mistakes = self.updates = self.words = self.time = 0

    def see(self, s):
        self.time += 1
        heads, labels = self.task.gold(s)
        self.words += len(heads) - 1
        bonus = self.slope(s, heads, labels) if self.square_root and self.augmented else 1.0
        trees = self.best(s, heads, labels, bonus, self.k + self.wrong)
        deltas = [self.difference(s, heads, labels, *tree) for tree in trees]
        self.mistakes += deltas[0][1]
        deltas = [(delta, self.loss(wrong)) for delta, wrong in deltas if delta][: self.k]
        if self.chosen.together and len(deltas) > 1:
            self.updates += self.move_all(deltas)
        else:
            beyond = self.augmented and self.chosen.own_margin
            moved = [self.move(delta, loss, loss if beyond else 0.0) for delta, loss in deltas]
            self.updates += any(moved)
        if self.task.shape.labels == "after":
            self.see_labels(s, heads, labels)

    def slope(self, s, gold, gold_labels):
        """The tangent of the root that leads to the tree with the best sum of score and root of the loss."""
        slope, found = 1.0, []
        for _ in range(4):
            [tree] = self.best(s, gold, gold_labels, slope)
            delta, wrong = self.difference(s, gold, gold_labels, *tree)
            margin = sum(float(self.weights[place]) * count for place, count in delta.items())
            found.append((math.sqrt(wrong) - margin, slope))
            if not wrong or 0.5 / math.sqrt(wrong) == slope:
                break
            slope = 0.5 / math.sqrt(wrong)
        best = max(found, key=lambda pair: pair[0])
        assert best[0] >= found[0][0]
        return best[1]

    def loss(self, wrong):
        return math.sqrt(wrong) if self.square_root else float(wrong)

    def best(self, s, gold, gold_labels, bonus, k=1):
        """The best trees as heads and labels of joint parsing."""
        n, shape = len(gold) - 1, self.task.shape
        arcs = np.zeros((n + 1, n + 1))
        siblings = np.zeros((n + 1,) * 3 if shape.order == 2 else (0, 0, 0))
        first, none = int(self.task.trees.offsets[s]), np.zeros((0, 1), np.int32)
        explaining.scores_of(self.task.graph, self.weights, first, arcs, siblings, none)
        labels = {}
        for p in range(n + 1):
            for c in range(1, n + 1):
                if self.augmented and p != gold[c]:
                    arcs[p, c] += bonus
                if shape.labels == "joint" and p != c:
                    scores = self.label_scores(s, {**dict(enumerate(gold)), c: p}, {}, c)
                    if self.augmented and self.labelled and p == gold[c]:
                        scores = [one + bonus * (label != gold_labels[c]) for label, one in enumerate(scores)]
                    labels[p, c] = int(np.argmax(scores))
                    arcs[p, c] += scores[labels[p, c]]
        decoder = DECODERS[shape.decoder]
        if k > 1:
            found = [tree for tree, _ in decoder.k_best(arcs, k, single_root=True)]
        elif shape.order == 2:
            found = [best_with_siblings(decoder, arcs, siblings, single_root=True)]
        else:
            found = [decoder.decode(arcs, single_root=True)]
        return [([0, *tree.tolist()], labels) for tree in found]

    def label_scores(self, s, heads, known, c):
        scores, reference = [], self.task.reference
        keys = list(reference.label_keys(self.task.sentences[s], heads, known, c))
        for label in range(len(self.task.trees.names)):
            places = reference.places_of(keys, label)
            total = np.float32(0)  # as wide as the kernel's, so that the same labels are equally good
            for place, count in places.items():
                total += self.weights[place] * np.float32(count)
            scores.append(total)
        return scores

    def difference(self, s, gold, gold_labels, heads, labels):
        delta, wrong = Counter(), 0
        sentence, reference = self.task.sentences[s], self.task.reference
        for sign, tree in ((1, gold), (-1, heads)):
            for c in range(1, len(gold)):
                for place, count in self.task.part(s, tree[c], c).items():
                    delta[place] += sign * count
                if self.task.shape.order == 2:
                    step = 1 if c < tree[c] else -1
                    beside = next(
                        o for o in range(c + step, tree[c] + step, step) if o == tree[c] or tree[o] == tree[c]
                    )
                    for place, count in self.task.part(s, tree[c], c, beside).items():
                        delta[place] += sign * count
                if self.task.shape.labels == "joint":
                    label = gold_labels[c] if sign > 0 else labels[tree[c], c]
                    for place, count in reference.label_places(sentence, tree, {}, c, label).items():
                        delta[place] += sign * count
        for c in range(1, len(gold)):
            same = not self.labelled or labels[heads[c], c] == gold_labels[c]
            wrong += heads[c] != gold[c] or not same
        return {place: count for place, count in delta.items() if count}, wrong

    def move(self, delta, wanted, beyond=0.0):
        variances = {place: float(self.variances[place]) if self.chosen.variance else 1.0 for place in delta}
        margin = sum(float(self.weights[place]) * count for place, count in delta.items())
        spread = sum(count**2 * variances[place] for place, count in delta.items())
        step, shrink = self.chosen.step_rule().step(margin - beyond, spread, wanted)
        for place, count in delta.items():
            self.add(place, step * count * variances[place])
            self.variances[place] = variances[place] / (1 + variances[place] * shrink * count**2)
        return step > 0

    def add(self, place, move):
        self.weights[place] += np.float32(move)
        self.sums[place] += np.float32(move * self.time)

    def move_all(self, deltas):
        gram = np.array([[sum(n * b.get(p, 0) for p, n in a.items()) for b, _ in deltas] for a, _ in deltas], float)
        margins = [sum(float(self.weights[p]) * n for p, n in delta.items()) for delta, _ in deltas]
        steps = np.zeros(len(deltas))
        hildreth(gram, np.array([loss for _, loss in deltas]) - margins, steps)
        for step, (delta, _) in zip(steps, deltas, strict=True):
            for place, count in delta.items() if step > 0 else ():
                self.add(place, step * count)
        return bool((steps > 0).any())

    def see_labels(self, s, heads, labels):
        known = {}

        def visit(node):
            for c in (word for word in range(1, len(heads)) if heads[word] == node):
                scores = self.label_scores(s, heads, known, c)
                right = labels[c]
                rival = max((label for label in range(len(scores)) if label != right), key=lambda one: scores[one])
                delta = self.task.reference.label_places(self.task.sentences[s], heads, known, c, right)
                for place, count in self.task.reference.label_places(
                    self.task.sentences[s], heads, known, c, rival
                ).items():
                    delta[place] -= count
                self.move({place: count for place, count in delta.items() if count}, 1.0)
                known[c] = right
                visit(c)

        visit(0)


def agree(task, chosen, **options):
    """Let both learn the same and compare all their numbers."""
    plain = PlainLearner(task, chosen, **options)
    size = task.shape.size
    weights, sums = np.zeros(size, np.float32), np.zeros(size, np.float32)
    variances = np.full(size if chosen.variance else 0, chosen.initial_variance, np.float32)
    order = np.random.default_rng(1).permutation(len(task.sentences)).astype(np.int32)
    total = np.zeros(3, int)
    for number in range(2):
        total += learning.learn(
            *(task.graph, weights, sums, variances, order, task.trees.offsets, task.trees.heads, task.trees.labels),
            *(chosen.step_rule(), chosen.initial_variance, plain.square_root, plain.labelled),
            *(plain.augmented, plain.k, plain.wrong, chosen.together, plain.augmented and chosen.own_margin),
            time=float(number * len(order)),
        )
        for s in order.tolist():
            plain.see(s)
    assert total.tolist() == [plain.words, plain.mistakes, plain.updates]
    assert plain.updates > 5
    np.testing.assert_allclose(weights, plain.weights, rtol=0, atol=2e-4)
    np.testing.assert_allclose(sums, plain.sums, rtol=0, atol=2e-2)
    assert np.abs(weights[: 1 << BITS]).max() > 0.01
    assert np.abs(weights[1 << BITS :]).max() > 0.01
    if chosen.variance:
        np.testing.assert_allclose(variances, plain.variances, rtol=0, atol=1e-4)


@pytest.mark.parametrize("name", ONLINE.own)
def test_every_learner_from_the_best_tree(name):
    agree(Task(), learner(name))


@pytest.mark.parametrize("square_root", [False, True], ids=["rho", "sqrt"])
@pytest.mark.parametrize("augmented", [False, True], ids=["best-tree", "cost-augmented"])
@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("decoder", DECODERS.own)
@pytest.mark.parametrize("labels", ["after", "joint"])
def test_every_loss_with_every_way_to_find_trees(labels, decoder, order, augmented, square_root):
    labelled = labels == "joint"
    task = Task(order, decoder, labels)
    agree(task, learner("pa-1"), augmented=augmented, square_root=square_root, labelled=labelled)


@pytest.mark.parametrize("augmented", [False, True])
@pytest.mark.parametrize("decoder", DECODERS.own)
@pytest.mark.parametrize("name", ONLINE.own)
def test_several_trees_at_once_or_one_after_the_other(name, decoder, augmented):
    agree(Task(decoder=decoder), learner(name), k=4, augmented=augmented)


@pytest.mark.parametrize("k", [1, 3])
@pytest.mark.parametrize("augmented", [False, True])
@pytest.mark.parametrize("decoder", DECODERS.own)
@pytest.mark.parametrize("name", ["cw", "cw-variance", "arow", "pa-1", "mira"])
def test_the_best_wrong_trees(name, decoder, augmented, k):
    agree(Task(decoder=decoder), learner(name), k=k, augmented=augmented, wrong=True)


@pytest.mark.parametrize(("k", "wrong"), [(3, False), (1, True), (3, True)])
@pytest.mark.parametrize("labels", ["after", "joint"])
@pytest.mark.parametrize("name", ["cw", "mira"])
def test_several_trees_by_the_square_root(name, labels, k, wrong):
    task = Task(labels=labels)
    agree(task, learner(name), augmented=True, square_root=True, labelled=labels == "joint", k=k, wrong=wrong)
