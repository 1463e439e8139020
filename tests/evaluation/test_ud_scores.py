"""Our UD scores have the counts of the official scorer, whatever a system does to the text."""

import io
import unicodedata
from itertools import combinations, pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from udtools import udeval

from headway.base.errors import HeadwayError
from headway.evaluation.alignment import SPACES, common_subsequence
from headway.evaluation.evaluate import evaluate

METRICS = (
    *("Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas"),
    *("UAS", "LAS", "CLAS", "MLAS", "BLEX"),
)
LABELS = [
    "nsubj",
    "nsubj:pass",
    "obj",
    "root",
    "det",
    "det:poss",
    "case",
    "aux",
    "aux:pass",
    "punct",
    "mark",
    "cc",
]
FEATS = [
    "_",
    "Number=Sing",
    "Number=Plur",
    "Case=Nom|Number=Sing",
    "Number=Sing|Case=Nom",
    "Style=Slng|Case=Nom",
    "X=1",
]


class Writer:
    """A random treebank: tokens are lists of word forms with a surface form."""

    def __init__(self, random):
        self.random = random

    def tokens(self):
        return [self.token(self.letters()) for _ in range(self.random.randint(1, 14))]

    def letters(self):
        return "".join(self.random.choice("abAB.") for _ in range(self.random.choice([1, 1, 2, 2, 3])))

    def token(self, surface):
        """The surface as one word, or as a multiword token whose words are its letters, or are others."""
        kind = self.random.choice(["word", "word", "word", "parts", "others", "single"])
        if kind == "word":
            return surface, None
        if kind == "single":
            return surface, [surface]
        if kind == "parts":
            return surface, list(surface)
        return surface, [self.letters() for _ in range(self.random.randint(1, 3))]

    def disturbed(self, tokens):
        """The same characters: some tokens are split, joined with the next one, or read as other words."""
        rest, result = list(tokens), []
        while rest:
            surface, words = rest.pop(0)
            kind = self.random.choice(["keep", "keep", "keep", "split", "join", "words", "space"])
            if kind == "join" and rest:
                rest.insert(0, self.token(surface + rest.pop(0)[0]))
            elif kind == "split" and len(surface) > 1:
                cut = self.random.randint(1, len(surface) - 1)
                result += [self.token(surface[:cut]), self.token(surface[cut:])]
            elif kind == "words":
                result.append(self.token(surface))
            elif kind == "space":
                cut = self.random.randint(0, len(surface))
                result.append((surface[:cut] + self.random.choice(" \u00a0\u2009") + surface[cut:], words))
            else:
                result.append((surface, words))
        return result

    def file(self, tokens, boundaries):
        """The tokens as CoNLL-U, cut into sentences after tokens that end at one of the `boundaries`."""
        sentences, character = [[]], 0
        for token in tokens:
            sentences[-1].append(token)
            character += sum(unicodedata.category(c) != "Zs" for c in token[0])
            if character in boundaries:
                sentences.append([])
        return "".join(self.sentence(sentence) for sentence in sentences if sentence)

    def sentence(self, tokens):
        forms = [form for surface, words in tokens for form in words or [surface]]
        heads = iter(self.tree(len(forms)))
        lines, number = ["# text = x"], 0
        for surface, words in tokens:
            if words:
                span = f"{number + 1}-{number + len(words)}"
                lines.append("\t".join([span, surface, *"________"]))
            for form in words or [surface]:
                number += 1
                lines.append(
                    "\t".join(
                        [
                            str(number),
                            form,
                            *self.tags(form),
                            str(next(heads)),
                            self.usual(LABELS, form),
                            "_",
                            "_",
                        ]
                    )
                )
                if self.random.random() < 0.1:
                    lines.append(f"{number}.1\tghost" + "\t_" * 8)
        return "\n".join(lines) + "\n\n"

    def tags(self, form):
        lemmas, upos, xpos = [form.lower(), form, "_"], ["NOUN", "VERB"], ["n", "v"]
        return [self.usual(choices, form) for choices in (lemmas, upos, xpos, FEATS)]

    def usual(self, choices, form):
        """What a form mostly has, so that two files agree on most words."""
        if self.random.random() < 0.1:
            return self.random.choice(choices)
        return choices[sum(map(ord, form.strip())) % len(choices)]

    def tree(self, size):
        """Mostly left-branching, so that two files agree on many heads."""
        order = list(range(1, size + 1))
        if self.random.random() < 0.3:
            self.random.shuffle(order)
        heads = [0] * size
        for at, word in enumerate(order[1:], 1):
            heads[word - 1] = self.random.choice([order[at - 1], order[at - 1], order[0], *order[:at], 0])
        return heads


def two_files(random):
    writer = Writer(random)
    tokens = writer.tokens()
    length = sum(len(surface) for surface, _ in tokens)
    boundaries = {random.randint(1, length) for _ in range(random.randint(0, 4))}
    others = boundaries if random.random() < 0.5 else {random.randint(1, length) for _ in range(3)}
    system = tokens if random.random() < 0.3 else writer.disturbed(tokens)
    return writer.file(tokens, boundaries), writer.file(system, others)


def official(gold, system):
    files = [udeval.load_conllu(io.StringIO(text), "file", {"multiple_roots_okay": True}) for text in (gold, system)]
    result = udeval.evaluate(*files)
    return {name: result[name] for name in METRICS}


def ours(folder, gold, system):
    paths = folder / "gold.conllu", folder / "system.conllu"
    for path, text in zip(paths, (gold, system), strict=True):
        path.write_text(text, encoding="utf-8")
    return evaluate(*paths)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("ud")


@pytest.mark.parametrize("first_seed", range(0, 500, 50))
def test_every_count_is_the_official_scorers(folder, first_seed):
    for seed in range(first_seed, first_seed + 50):
        same_as_official(folder, *two_files(Random(seed)))


def same_as_official(folder, gold, system):
    scores = ours(folder, gold, system)
    for name, score in official(gold, system).items():
        counts = score.correct, score.gold_total, score.system_total, score.aligned_total
        mine = scores[name]
        assert (mine.correct, mine.gold, mine.system, mine.aligned) == counts, name
        assert (mine.precision, mine.recall, mine.f1) == (score.precision, score.recall, score.f1), name
        assert mine.aligned_accuracy == (score.aligned_accuracy or None) or not mine.correct


def plain(*tokens):
    """A file of one sentence; `ab=a+b` is a multiword token."""
    parts = [(surface, words.split("+") if words else None) for surface, _, words in (t.partition("=") for t in tokens)]
    rows, number = [], 0
    for surface, words in parts:
        if words:
            rows.append(f"{number + 1}-{number + len(words)}\t{surface}" + "\t_" * 8)
        for form in words or [surface]:
            number += 1
            rows.append(f"{number}\t{form}\t_\tX\t_\t_\t{number - 1}\tdep\t_\t_")
    return "\n".join(rows) + "\n\n"


@pytest.mark.parametrize(
    ("gold", "system", "aligned"),
    [
        (["abcd"], ["a", "b", "c", "d"], 0),
        (["a", "bc", "d"], ["a", "b", "c", "d"], 2),
        (["a", "bc=b+c", "d"], ["a", "b", "c", "d"], 4),
        (["abcd=a+b+c+d"], ["ab=a+b", "cd=c+d"], 4),
        (["au=à+le", "x"], ["au=a+le", "x"], 2),
        (["abc", "de=d+e"], ["a", "b", "c", "d", "e"], 2),
        (["zum=zu+dem", "Haus"], ["zum=ZU+DEM", "Haus"], 3),
        (["ab=bc+x", "c"], ["a", "bc"], 0),
        (["abc=ab+c"], ["a b", "c"], 2),
    ],
)
def test_words_are_aligned(folder, gold, system, aligned):
    assert ours(folder, plain(*gold), plain(*system))["Words"].correct == aligned
    same_as_official(folder, plain(*gold), plain(*system))


@pytest.mark.parametrize(
    ("gold", "system", "message"),
    [
        (
            ["the", "cat"],
            ["the", "cut"],
            "after 'thec' {gold}:2 (sentence 1) has 'at' and {system}:2 (sentence 1) has 'ut'",
        ),
        (["x", "y"], ["z", "y"], "right at the beginning {gold}:1 (sentence 1) has 'xy' and {system}:1"),
        (
            ["the", "cat"],
            ["the"],
            "after 'the' {gold}:2 (sentence 1) has 'cat' and {system}:1 (sentence 1) ends",
        ),
    ],
)
def test_another_text_is_shown_in_both_files(folder, gold, system, message):
    with pytest.raises(HeadwayError) as error:
        ours(folder, plain(*gold), plain(*system))
    places = {"gold": folder / "gold.conllu", "system": folder / "system.conllu"}
    assert message.format(**places) in str(error.value)


def test_a_token_of_spaces_is_refused(folder):
    with pytest.raises(HeadwayError, match=r"system.conllu:2: a token has no characters other than spaces"):
        ours(folder, plain("a", "b"), plain("a", "\u00a0", "b"))


def test_spaces_are_the_category_zs():
    spaces = {code for code in range(0x10000) if unicodedata.category(chr(code)) == "Zs"}
    assert set(SPACES) == spaces


@given(gold=st.lists(st.integers(0, 2), max_size=6), system=st.lists(st.integers(0, 2), max_size=6))
def test_the_common_subsequence_is_common_and_longest(gold, system):
    pairs = common_subsequence(gold, system)
    assert all(gold[g] == system[s] for g, s in pairs)
    assert pairs == sorted(set(pairs)) and all(a < c and b < d for (a, b), (c, d) in pairwise(pairs))
    common = (
        size
        for size in range(len(gold) + 1)
        for part in combinations(gold, size)
        if any(part == other for other in combinations(system, size))
    )
    assert len(pairs) == max(common)


def test_several_roots_are_scored(folder):
    text = "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n2\tb\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    assert ours(folder, text, text)["LAS"].f1 == 1
