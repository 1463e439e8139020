"""Corrections reach every stage: taggers, lemmatizers and parsers learn what was corrected, and only that."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import headway
from headway.base.errors import HeadwayError
from headway.data.sample import generate
from headway.kernels.sequence.updating import step_towards
from headway.kernels.weights.packing import packed
from headway.kernels.weights.table import Weights
from headway.kernels.weights.updating import OwnWeights
from headway.stages.constraints import Constraints
from headway.stages.contract import Packed
from headway.text.lemmatizer.options import LemmatizerOptions
from headway.text.sequence.deciding import Choices, KeyTable, NumberLists
from headway.text.sequence.updating import learning_weights
from headway.text.tagger.options import TaggerOptions

PARSER = {"passes": 2, "features": "malt-14"}


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A tagger, a lemmatizer and a parser in one file."""
    from headway.parsers.transition.options import TransitionOptions

    path = tmp_path_factory.mktemp("stages") / "row.headway"
    stages = TaggerOptions(passes=2), LemmatizerOptions(passes=2), TransitionOptions(**PARSER)
    headway.train(generate(80, seed=1), stages).save(path)
    return path


def changed(sentence, **columns):
    """The sentence with other cells at some words: upos={0: "X"}."""
    return sentence.replace(
        **{
            name: [new.get(at, cell) for at, cell in enumerate(getattr(sentence, name))]
            for name, new in columns.items()
        }
    )


def found(parser, sentence):
    one = parser.parse(sentence.replace(upos=None, xpos=None, feats=None, lemmas=None, heads=None, deprels=None))
    return one.upos, one.xpos, one.feats, one.lemmas, one.heads.tolist(), one.deprels


def cells(sentence):
    return (
        sentence.upos,
        sentence.xpos,
        sentence.feats,
        sentence.lemmas,
        sentence.heads.tolist(),
        sentence.deprels,
    )


def test_every_stage_learns_what_is_wrong(model):
    parser, right = headway.load(model), []
    for gold in generate(40, seed=2):
        told = parser.update(gold)
        assert told == (found(parser, gold) == cells(gold))
        right.append(told)
    assert np.mean(right) >= 0.95


def test_new_tags_and_lemmas_are_learned_saved_and_pickled(model, tmp_path):
    parser, others = headway.load(model), headway.load(model)
    gold = next(iter(generate(1, seed=3)))
    new = changed(
        gold,
        upos={0: "NEW"},
        xpos={0: "NEWER", 1: "NEWEST"},
        feats={0: "Brand=New|Case=Odd"},
        lemmas={0: "quite>other|than", 1: "Ärger"},
    )
    assert parser.update(new)
    assert found(parser, new) == cells(new)
    parser.save(tmp_path / "learned.headway")
    opened = headway.load(tmp_path / "learned.headway")
    pickled = pickle.loads(pickle.dumps(parser))
    for one in (opened, pickled):
        assert found(one, new) == cells(new)
        again = changed(new, upos={1: "NEWEST"}, lemmas={0: "third"})
        assert one.update(again)
        assert found(one, again) == cells(again)
    assert found(parser, new) == cells(new)
    assert found(others, new)[0][0] != "NEW"


def test_analyses_keep_their_parts(model):
    """A tagger whose analyses are told by one column does not begin to have parts for them."""
    tagger = headway.load(model).stages[0]
    more = tagger.analyses.enlarged(
        [tuple(f"{name}{number}" for name in tagger.analyses.columns) for number in range(300)]
    )
    size = int(tagger.analyses.parts.start[-1])
    assert len(more.rows) == len(tagger.analyses.rows) + 300
    assert np.array_equal(more.parts.member[:size], tagger.analyses.parts.member)
    assert more.enlarged(more.rows) is more


def test_what_is_known_by_heart_gives_way(model):
    parser = headway.load(model)
    gold = max(generate(20, seed=4), key=len)
    parser.update(gold)
    lemmatizer = parser.stages[1]
    for lemma in ("one", "two", "three"):
        new = changed(gold, lemmas=dict.fromkeys(range(len(gold)), lemma))
        assert parser.update(new, corrected="lemmas")
        assert set(found(parser, gold)[3]) == {lemma}
    assert lemmatizer.scripts == parser.stages[1].scripts[: len(lemmatizer.scripts)]


def test_very_long_words_take_linear_time(model):
    parser = headway.load(model)
    sentence = headway.Sentence(["ab" * 20_000, "dog"], lemmas=["ba|>\\" * 10_000, "dog"])
    assert parser.update(sentence)
    assert found(parser, sentence)[3] == sentence.lemmas


def test_one_word_with_two_lemmas_in_a_sentence(model):
    """The weights choose by what stands around, also between scripts that no training has seen."""
    parser = headway.load(model)
    words = ["The", "zork", "saw", "a", "dog", "zork", "."]
    tags = {"upos": ["DET", "NOUN", "VERB", "DET", "NOUN", "NOUN", "PUNCT"]}
    lemmas = ["the", "zorks", "see", "a", "dog", "zork", "."]
    sentence = headway.Sentence(words, lemmas=lemmas, **tags)
    assert parser.update(sentence)
    assert found(parser, sentence)[3] == lemmas
    assert found(parser, sentence)[0] == tags["upos"]


def test_only_what_is_named_counts(model):
    parser = headway.load(model)
    gold = next(iter(generate(1, seed=5)))
    tree = next(one for one in generate(60, seed=6) if found(parser, one)[4:] != cells(one)[4:])
    new = changed(gold, upos={0: "NEW"}, lemmas={0: "new"})
    before = parser.stages
    assert parser.update(new, corrected="lemmas")
    assert found(parser, new)[3] == new.lemmas and found(parser, new)[0][0] != "NEW"
    assert parser.stages[0] is before[0] and parser.stages[2] is before[2]
    assert parser.update(new, corrected=["UPOS"])
    assert found(parser, new)[0] == new.upos
    before = parser.stages
    assert parser.update(tree, corrected="tree")
    assert parser.stages[:2] == before[:2] and found(parser, tree)[4:] == cells(tree)[4:]
    wrong = found(parser, gold)[4]
    word = 1 + next(at for at, head in enumerate(wrong) if head)
    before = parser.stages
    parser.update(new, Constraints(forbidden=[(wrong[word - 1], word)]))
    assert parser.stages[:2] == before[:2]


def test_a_tag_alone_brings_a_whole_analysis(model):
    parser = headway.load(model)
    tagger = parser.stages[0]
    sentence = headway.Sentence(["Zyx", "barks", "."], upos=["ADV", "_", "_"])
    assert parser.update(sentence)
    rows = tagger.analyses.rows
    assert parser.stages[0].analyses.rows == rows
    upos, xpos, feats, *_ = found(parser, sentence)
    row = {"UPOS": upos[0], "XPOS": xpos[0], "FEATS": feats[0]}
    assert upos[0] == "ADV" and tuple(row[name] for name in tagger.analyses.columns) in rows


def test_what_holds_stages_keeps_them(model):
    """What was learned later changes nothing for others, whichever stage learned, and also where no weights moved."""
    parser = headway.load(model)
    golds = list(generate(30, seed=7))
    for number, gold in enumerate(golds[:12]):
        holder = headway.Parser(parser.stages)
        before = [found(holder, one) for one in golds[:3]]
        parser.update(changed(gold, lemmas={0: f"lemma{number}"}), corrected="lemmas")
        parser.update(changed(gold, upos={0: f"TAG{number % 3}"}), corrected="tags")
        parser.update(gold)
        assert [found(holder, one) for one in golds[:3]] == before


def test_threads_teach_and_parse(model):
    parser, golds = headway.load(model), list(generate(40, seed=8))

    def work(number):
        gold = golds[number]
        return parser.update(gold) if number % 2 else len(parser.parse(gold)) == len(gold)

    with ThreadPoolExecutor(4) as pool:
        assert np.mean(list(pool.map(work, range(len(golds))))) >= 0.9
    parser.update(golds[0])
    assert found(parser, golds[0]) == cells(golds[0])


def test_a_tagger_alone_learns():
    tagger = headway.train(generate(40, seed=1), TaggerOptions(passes=1))
    gold = changed(next(iter(generate(1, seed=2))), upos={0: "NEW"})
    assert tagger.update(gold)
    assert tagger.parse(gold).upos == gold.upos


@pytest.mark.parametrize(
    ("named", "what"),
    [
        ("tag", "no such column; .*tags"),
        (["FORM"], "no stage of the model gives it"),
        ([3], "no such column"),
        (3, "expected names of columns"),
        ([], "nothing to learn"),
    ],
)
def test_names_that_mean_nothing_are_refused(model, named, what):
    with pytest.raises(HeadwayError, match=what):
        headway.load(model).update(next(iter(generate(1))), corrected=named)


def test_stages_that_are_not_there_cannot_learn():
    parser = headway.train(generate(20), **PARSER)
    gold = next(iter(generate(1)))
    with pytest.raises(HeadwayError, match=r"no stage of the model gives it; .*DEPREL"):
        parser.update(gold, corrected="lemmas")
    with pytest.raises(HeadwayError, match="there is nothing to learn; give some words HEAD, DEPREL"):
        parser.update(gold.replace(heads=None, deprels=None), corrected="tree")


def twice(classes):
    """A feature that was corrected twice, with all weights."""
    row = np.array([0xFFFF, *[0] * classes], np.uint32)
    return {"learned_keys": np.ones(2, np.uint64), "learned_rows": np.tile(row, 2)}


def test_damaged_weights_are_refused(model):
    tagger = headway.load(model).stages[0]
    header, arrays = tagger.pack()
    size = tagger.choices.classes
    with pytest.raises(HeadwayError, match=r"the weights of the model are damaged: .* stands twice"):
        type(tagger).unpack(Packed(header, {**arrays, **twice(size)}), "m")
    with pytest.raises(HeadwayError, match="no room"):
        learning_weights(tagger.weights, size, 1 << 16, in_place=False)


def test_steps_refuse_what_does_not_fit(model):
    tagger = headway.load(model).stages[0]
    batch = next(iter(generate(1))).batch
    positions, choices = tagger.positions(batch), tagger.choices
    words = len(positions.keys)
    own = OwnWeights.of_others(tagger.weights.packed)
    chosen, wanted = np.zeros(words, np.int32), np.ones(words, np.uint8)

    def step(keys, offsets, attributes, sets, chosen=chosen, wanted=wanted, own=own):
        return step_towards(
            tagger.templates.kernel, choices.kernel, own, keys, offsets, attributes, sets, chosen, wanted, 1.0
        )

    assert step(*positions) > 0
    few = Choices.plain(2, [(0, 1)])
    for wrong in (
        positions._replace(keys=positions.keys[1:]),
        positions._replace(attributes=positions.attributes[:-1]),
        positions._replace(offsets=positions.offsets + 1),
        positions._replace(offsets=np.array([0, words + 1, words], np.int32)),
        positions._replace(sets=np.full(words, len(choices.sets), np.int32)),
    ):
        with pytest.raises(ValueError, match=r"do not fit|sequence|no choice"):
            step(*wrong)
    for bad in (chosen - 1, chosen + len(choices.parts)):
        with pytest.raises(ValueError, match="there is no choice"):
            step(*positions, chosen=bad)
    with pytest.raises(ValueError, match="do not fit"):
        step(*positions, own=OwnWeights.of_others(packed(Weights(few.classes, variance=False, average=False), 1.0)[0]))


def test_tables_grow_as_dictionaries_do():
    chance, table, expected = np.random.default_rng(1), KeyTable.of({}), {}
    for key, number in chance.integers(0, 40, size=(200, 2)).tolist():
        table, expected[key] = table.replaced(key, number), number
        assert table.keys.tolist() == sorted(expected)
    assert table.look_up(np.arange(40, dtype=np.uint64)).tolist() == [expected.get(key, -1) for key in range(40)]
    lists = NumberLists.of([(1,), (2, 3), (4,)])
    assert lists.with_list([4]) == (lists, 2) and lists.with_list([2, 3]) == (lists, 1)
    more, at = lists.with_list([2, 4])
    assert at == 3 and [more[number] for number in range(4)] == [[1], [2, 3], [4], [2, 4]]
