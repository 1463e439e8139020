"""Many short texts: each is parsed as if it had come alone, and nobody waits for the next one."""

import itertools
import pickle
import threading

import pytest

import headway
from headway.data.sample import generate

SENTENCES = [sentence.text for sentence in generate(12, seed=4)]
TEXTS = [
    *SENTENCES,
    "",
    " \n ",
    f"{SENTENCES[0]} {SENTENCES[1]}\n\n{SENTENCES[2]}\n{SENTENCES[3]}  ",
    f"\ufeff  {SENTENCES[4]}\r\n\r\n{SENTENCES[5]}",
    f"\ufeff{SENTENCES[6]}",
    f"One\0 {SENTENCES[7]}",
    f"\t{SENTENCES[8]}",
    "1\tDogs\t_\t_\t_\t_\t_\t_\t_\t_\n\n",
    "They don't sleep 🐶.",
    ".",
]


@pytest.fixture(scope="module")
def parser():
    options = {"pipeline": True, "folds": 2, "features": "malt-14", "passes": 2}
    return headway.train(list(generate(80, seed=1)), dev=list(generate(20, seed=3)), **options)


@pytest.fixture(scope="module")
def alone(parser):
    return [parser(text) for text in TEXTS]


def same(found, wanted):
    """Whether documents are the same in all that one can see of them."""
    assert len(found) == len(wanted)
    for one, other in zip(found, wanted, strict=True):
        assert (one.text, one.to_conllu(), one.to_table()) == (other.text, other.to_conllu(), other.to_table())
        assert one == other and [s.place for s in one] == [s.place for s in other]
    return True


@pytest.mark.parametrize("how", [{}, {"batch_words": 1}, {"batch_words": 60}, {"batch_words": 60, "threads": 3}])
@pytest.mark.parametrize("kind", [list, iter])
def test_each_text_is_parsed_as_if_it_had_come_alone(parser, alone, how, kind):
    assert same(list(parser.pipe(kind(TEXTS), **how)), alone)


def test_long_texts_are_parsed_alone(parser, alone, monkeypatch):
    monkeypatch.setattr("headway.stages.parsing.many_texts.LONGEST", 50)
    assert same(list(parser.pipe(TEXTS)), alone)


@pytest.mark.parametrize("how", [{"confidence": True}, {"input": "sentences"}, {"input": "tokens"}])
def test_options_mean_what_they_mean_for_one_text(parser, how):
    texts = [text for text in TEXTS if "\0" not in text and not text.startswith("1\t")]
    assert same(list(parser.pipe(texts, **how)), [parser(text, **how) for text in texts])


def test_k_best_trees_of_many_texts():
    options = {"pipeline": True, "folds": 2, "passes": 1, "parser": "graph", "bits": 12, "label_bits": 11}
    parser = headway.train(list(generate(30, seed=1)), **options)
    found = list(parser.pipe(SENTENCES[:4], k_best=3))
    assert same(found, [parser(text, k_best=3) for text in SENTENCES[:4]])
    assert [s.start for s in found[0]] == [0] * len(found[0]) != [0]


def test_contexts_go_with_their_documents(parser):
    pairs = [(text, {"number": number}) for number, text in enumerate(SENTENCES)]
    found = list(parser.pipe(pairs, as_tuples=True))
    assert [context["number"] for _, context in found] == list(range(len(pairs)))
    assert [document.text for document, _ in found] == SENTENCES


def test_a_live_queue_is_answered_text_by_text(parser):
    asked = []

    def queue():
        for text in itertools.cycle(SENTENCES):
            asked.append(text)
            yield text

    answers = parser.pipe(queue(), threads=4)
    for number in range(1, 6):
        assert next(answers).text == asked[-1] and len(asked) == number


def test_a_generator_may_be_gathered(parser):
    asked = []
    texts = (asked.append(text) or text for text in SENTENCES)
    next(parser.pipe(texts, batch_words=40))
    assert 1 < len(asked) < len(SENTENCES)


def test_an_answer_has_what_was_learned_before_it(parser):
    parser = pickle.loads(pickle.dumps(parser))
    wanted = parser(SENTENCES[0])[0]
    heads = [2, 0, *[2] * (len(wanted) - 2)]
    answers = parser.pipe(itertools.repeat(SENTENCES[0]))
    assert next(answers)[0].heads.tolist() == wanted.heads.tolist() != heads
    corrected = wanted.replace(heads=heads)
    assert any(parser.update(corrected) for _ in range(30))
    assert next(answers)[0].heads.tolist() == heads


def test_documents_before_a_mistake_are_given(parser):
    answers = parser.pipe([*SENTENCES[:3], ["Dogs", "bark"]])
    assert [len(next(answers)) > 0 for _ in range(3)] == [True] * 3
    with pytest.raises(headway.HeadwayError, match="text 4: expected a string, got a list"):
        next(answers)
    half = parser.pipe([SENTENCES[0], "\ud800"])
    assert next(half).text == SENTENCES[0]
    with pytest.raises(headway.HeadwayError, match="UTF-8"):
        next(half)


def test_wrong_calls_are_refused(parser):
    for wrong, message in (("Dogs bark.", r"parser\(text\)"), (3, "several texts")):
        with pytest.raises(headway.HeadwayError, match=message):
            list(parser.pipe(wrong))
    with pytest.raises(headway.HeadwayError, match="batch_words"):
        list(parser.pipe(SENTENCES, batch_words=0))
    with pytest.raises(headway.HeadwayError, match="pair of text and context"):
        list(parser.pipe(["Dogs bark."], as_tuples=True))
    with pytest.raises(headway.HeadwayError, match="no option 'treads'"):
        parser.pipe(SENTENCES, treads=4)
    without = headway.train(list(generate(5)), passes=1, features="malt-14")
    with pytest.raises(headway.HeadwayError, match="does not cut text"):
        list(without.pipe(["Dogs bark."]))


def test_threads_share_a_parser(parser, alone):
    found = {}

    def run(number):
        found[number] = list(parser.pipe(TEXTS, threads=1 + number % 2))

    threads = [threading.Thread(target=run, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 3 and all(same(some, alone) for some in found.values())


def test_documents_of_a_pipe_are_pickled_alone(parser):
    document = list(parser.pipe(SENTENCES * 20))[5]
    data = pickle.dumps(document)
    assert len(data) < 6_000 and pickle.loads(data) == document
    assert len(document.batches[0]) == len(document)
