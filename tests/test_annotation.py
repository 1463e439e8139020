"""Sessions of annotation: each correction acts at once, trainings take over, and a journal loses nothing."""

import logging
import threading

import pytest

import headway
from headway.data.sample import generate

OPTIONS = {"passes": 2, "features": "malt-14"}


@pytest.fixture(scope="module")
def treebank():
    return list(generate(60))


@pytest.fixture(scope="module")
def parser(treebank):
    return headway.train(treebank, **OPTIONS)


def wrong(parser, sentences):
    return [s for s in sentences if parser.parse(s).heads.tolist() != s.heads.tolist()]


def trees(parser, sentences):
    return [str(found) for found in parser.parse(sentences)]


def test_correction_acts_at_once_and_leaves_the_parser_that_was_given_alone(parser, treebank):
    new = list(generate(30, seed=2))
    before = trees(parser, new)
    with headway.Annotation(parser, treebank, every=100) as session:
        gold = wrong(parser, new)[0]
        assert session.correct(gold)
        assert session.parse(gold).heads.tolist() == gold.heads.tolist()
    assert trees(parser, new) == before


def test_training_in_the_background_is_the_training_of_everything(parser, treebank):
    new = list(generate(10, seed=2))
    with headway.Annotation(parser, treebank, every=10) as session:
        for gold in new:
            session.correct(gold)
        after = session.wait()
        assert session.trainings == 1
    expected = headway.train([*treebank, *new], **OPTIONS)
    some = list(generate(50, seed=3))
    assert trees(after, some) == trees(expected, some)


def test_corrections_count_by_their_weight(parser, treebank):
    new = list(generate(5, seed=2))
    with headway.Annotation(parser, treebank, every=5, weight=3) as session:
        for gold in new:
            session.correct(gold)
        after = session.wait()
    expected = headway.train([*treebank, *new * 3], **OPTIONS)
    some = list(generate(50, seed=3))
    assert trees(after, some) == trees(expected, some)


def test_what_is_corrected_during_a_training_is_learned_by_the_parser_that_takes_over(parser, treebank):
    new = wrong(parser, list(generate(60, seed=4)))
    with headway.Annotation(parser, treebank, every=2) as session:
        session.correct(new[0])
        session.correct(new[1])
        late = new[2]
        session.correct(late)
        session.wait()
        assert session.trainings == 1
        assert session.parse(late).heads.tolist() == late.heads.tolist()


def test_sentence_that_is_corrected_again_counts_once(parser, treebank):
    gold = next(generate(1, seed=2))
    other = gold.replace(deprels=["dep" if name != "root" else name for name in gold.deprels])
    with headway.Annotation(parser, treebank) as session:
        session.correct(other)
        session.correct(gold)
        assert session.corrections == [gold]


def test_confidence_is_calibrated_again(treebank, tmp_path):
    headway.write(generate(40, seed=5), tmp_path / "dev.conllu")
    calibrated = headway.train(treebank, dev=tmp_path / "dev.conllu", **OPTIONS)
    for dev in (tmp_path / "dev.conllu", None):
        with headway.Annotation(calibrated, treebank, dev=dev, every=2) as session:
            for gold in generate(2, seed=2):
                session.correct(gold)
            after = session.wait()
            assert session.trainings == 1
            assert next(after.parse(generate(1, seed=3), confidence=True)).confidence.tree is not None


def test_journal_holds_each_correction_and_a_session_goes_on_from_it(parser, treebank, tmp_path):
    new, journal = wrong(parser, list(generate(60, seed=4)))[:3], tmp_path / "corrections.conllu"
    with headway.Annotation(parser, treebank, journal=journal) as session:
        for number, gold in enumerate(new, 1):
            session.correct(gold)
            assert list(headway.read(journal)) == new[:number]
        learned = trees(session.parser, new)
    with headway.Annotation(parser, treebank, journal=journal) as session:
        assert session.corrections == new
        assert trees(session.parser, new) == learned


@pytest.mark.parametrize("kept", [1, 30, -2, -1])
def test_journal_that_was_cut_off_loses_the_last_sentence_only(parser, treebank, tmp_path, kept):
    new, journal = list(generate(2, seed=4)), tmp_path / "corrections.conllu"
    with headway.Annotation(parser, treebank, journal=journal) as session:
        session.correct(new[0])
        first = journal.stat().st_size
        session.correct(new[1])
    whole = journal.read_bytes()
    journal.write_bytes(whole[: first + kept] if kept > 0 else whole[:kept])
    with headway.Annotation(parser, treebank, journal=journal) as session:
        assert session.corrections == new[:1]
        session.correct(new[1])
    assert journal.read_bytes() == whole


def test_training_that_fails_is_said_and_the_session_goes_on(parser, tmp_path, caplog):
    headway.write(generate(20), tmp_path / "treebank.conllu")
    new = list(generate(4, seed=2))
    with headway.Annotation(parser, tmp_path / "treebank.conllu", every=2) as session:
        (tmp_path / "treebank.conllu").write_text("1\tDogs\n\n")
        session.correct(new[0])
        session.correct(new[1])
        with pytest.raises(headway.HeadwayError, match=r"treebank\.conllu:1"):
            session.wait()
        headway.write(generate(20), tmp_path / "treebank.conllu")
        with caplog.at_level(logging.WARNING, "headway"):
            session.correct(new[2])
            session.correct(new[3])
            session.wait()
        assert session.trainings == 1


def test_several_annotators_at_once(parser, treebank):
    new = list(generate(24, seed=2))
    with headway.Annotation(parser, treebank, every=6) as session:

        def annotate(some):
            for gold in some:
                session.parse(gold)
                session.correct(gold)

        threads = [threading.Thread(target=annotate, args=(new[number::4],)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        session.wait()
        assert sorted(map(str, session.corrections)) == sorted(map(str, new))
        assert session.trainings


@pytest.mark.parametrize(
    ("options", "what"),
    [({"every": 0}, "every"), ({"weight": 0}, "weight"), ({"weight": "two"}, "weight"), ({"journal": 3}, "journal")],
)
def test_wrong_options_are_refused(parser, treebank, options, what):
    with pytest.raises(headway.HeadwayError, match=what):
        headway.Annotation(parser, treebank, **options)


def test_only_parsers_and_whole_trees_are_taken(parser, treebank):
    with pytest.raises(headway.HeadwayError, match="expected a parser"):
        headway.Annotation(treebank, treebank)
    with headway.Annotation(parser, treebank) as session:
        with pytest.raises(headway.HeadwayError, match="expected a Sentence"):
            session.correct("Dogs bark.")
        with pytest.raises(headway.HeadwayError, match="no heads"):
            session.correct(headway.Sentence(["Dogs", "bark"]))
        assert session.corrections == []
