"""Wrong calls from Python: none is ignored, and each is refused in a sentence with a remedy."""

import inspect
import subprocess
import sys

import pytest

import headway
from headway import Sentence
from headway.base.errors import HeadwayError
from headway.data.sample import generate, generate_text
from headway.features.language import parse
from headway.show import html, svg, text
from headway.stages.parsing.parse_batches import parse_files


@pytest.fixture(scope="module")
def parser():
    """A parser that looks at words and tags."""
    return headway.train(generate(40), passes=1, features="malt-14")


@pytest.fixture(scope="module")
def pipeline():
    """One that takes text."""
    return headway.train(generate(40), passes=1, stages="segmenter", features=parse("LEX(STACK0)\nLEX(QUEUE0)"))


def refusal(call):
    with pytest.raises(HeadwayError) as refused:
        call()
    assert "\n" not in str(refused.value)
    return str(refused.value)


DOGS = Sentence(["Dogs", "bark"], xpos=["NNS", "VBP"])
MISSPELT = {
    "Parser.__call__": lambda parser, wrong: parser("Dogs bark.", **wrong),
    "Parser.k_best": lambda parser, wrong: parser.k_best(DOGS, 2, **wrong),
    "Parser.parse": lambda parser, wrong: parser.parse(DOGS, **wrong),
    "Parser.parse_batches": lambda parser, wrong: parser.parse_batches([DOGS], **wrong),
    "Parser.parse_bytes": lambda parser, wrong: parser.parse_bytes([DOGS], **wrong),
    "Parser.parse_within": lambda parser, wrong: parser.parse_within(DOGS, headway.Constraints(), **wrong),
    "Parser.pipe": lambda parser, wrong: parser.pipe(["Dogs bark."], **wrong),
    "Sentence.replace": lambda parser, wrong: DOGS.replace(**wrong),
    "cross_validate": lambda parser, wrong: headway.cross_validate([DOGS], **wrong),
    "discover": lambda parser, wrong: headway.discover("none.conllu", output="none", **wrong),
    "select": lambda parser, wrong: headway.select(parser, [DOGS], **wrong),
    "train": lambda parser, wrong: headway.train([DOGS], **wrong),
    "sample.generate": lambda parser, wrong: generate(1, **wrong),
    "sample.generate_text": lambda parser, wrong: generate_text(1, **wrong),
    "stream.parse_files": lambda parser, wrong: parse_files(parser, [headway.read("none")], "/dev/null", **wrong),
}
"""How each public function that takes any keywords is called with a wrong one."""


def with_any_keywords():
    """The public names of headway, and of methods of its classes, that take any keywords."""
    for name in set(headway.__all__) - {"__version__"}:
        thing = getattr(headway, name)
        found = {name: thing}
        if inspect.isclass(thing):
            methods = inspect.getmembers(thing, inspect.isfunction)
            found = {f"{name}.{own}": method for own, method in methods if own == "__call__" or own[0] != "_"}
        for called, function in found.items():
            if any(one.kind is one.VAR_KEYWORD for one in inspect.signature(function).parameters.values()):
                yield called


def test_every_public_function_with_any_keywords_is_tried():
    takes_any_fact = {"Parser.with_about"}
    assert set(with_any_keywords()) - takes_any_fact == {
        name for name in MISSPELT if not name[0].islower() or "." not in name
    }


@pytest.mark.parametrize("name", MISSPELT)
@pytest.mark.parametrize("wrong", ["confidense", "keep_head", "treads", "beem"])
def test_unknown_keywords_are_refused_with_the_known_ones(parser, name, wrong):
    said = refusal(lambda: MISSPELT[name](parser, {wrong: 1}))
    assert repr(wrong) in said and "known are: " in said


def test_the_nearest_keyword_is_named(parser):
    said = refusal(lambda: parser.parse([DOGS], confidense=True))
    assert said == (
        "parsing has no option 'confidense', perhaps 'confidence'; known are: confidence, force, input, k_best, keep,"
        " keep_heads, patterns, stages, threads"
    )
    assert "perhaps 'lemmas'; known are: confidence, feats, " in refusal(lambda: parser(["Dogs"], lemma=["dog"]))


def test_options_that_would_change_nothing_are_refused(parser):
    """Those of parsing are none of choosing sentences, where nobody sees the confidences of all."""
    for call in (
        lambda: headway.select(parser, [DOGS], confidence=True),
        lambda: parser.parse_within(DOGS, headway.Constraints(), keep_heads=True),
        lambda: parser.k_best(DOGS, 2, k_best=3),
    ):
        assert refusal(call).endswith("; known are: force, input, keep, patterns")
    assert "parser.k_best(sentence, k) gives the k best" in refusal(lambda: parser.parse(DOGS, k_best=2))
    assert "tags belong to words, and 'Dogs bark.' is a text" in refusal(lambda: parser("Dogs bark.", tags=["NOUN"]))


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"threads": "2"}, "threads = '2' is not a whole number; give one from 1 on"),
        ({"force": "yes"}, "force = 'yes' is neither yes nor no; give one"),
        ({"keep": 3}, "keep = 3 is not a list of names; write them as in 'C,decoder'"),
        ({"keep": "tag"}, "unknown thing to keep 'tag'; known are: feats, lemmas, tags, tokens, upos, xpos"),
        ({"input": "txt"}, "unknown kind of input 'txt'; known are: conllu, sentences, text, tokens, vertical"),
        ({"k_best": 0}, "k_best = 0 is out of range; give a number from 1 to 1000"),
        ({"k_best": 2, "confidence": True}, "confidence and k_best do not go together; ask for one of them"),
    ],
)
def test_values_are_checked_before_anything_is_read(parser, how, said):
    assert refusal(lambda: parser.parse("none.conllu", **how)) == said


def test_a_list_of_texts_is_no_sentence(pipeline):
    assert refusal(lambda: pipeline(["Dogs bark.", "They sleep."])) == (
        "'Dogs bark.' has a space, and a list is the words of one sentence; for several texts write"
        " parser.pipe(texts), for words with spaces parser.parse(Sentence(words))"
    )
    assert [len(pipeline(text)) for text in ["Dogs bark.", "They sleep."]] == [1, 1]


def test_words_with_spaces_are_parsed_as_a_sentence(pipeline):
    assert pipeline.parse(Sentence(["10 000", "dogs"])).forms == ["10 000", "dogs"]
    assert pipeline(["10\N{NO-BREAK SPACE}000", "dogs"]).forms == ["10\N{NO-BREAK SPACE}000", "dogs"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([["Dogs", "bark"], ["They", "sleep"]], "for several write [parser(words) for words in sentences]"),
        ([DOGS], "expected words, got sentences; give them to parser.parse"),
        (DOGS, "expected a list of words, got a Sentence; give it to parser.parse"),
        (headway.read("none.conllu"), "expected a list of words, got a Reader; give it to parser.parse"),
        (3, "expected a text or a list of words, got 3; write ['Dogs', 'bark']"),
        (None, "expected a text or a list of words, got None; write ['Dogs', 'bark']"),
    ],
)
def test_what_is_no_list_of_words_is_refused_with_the_right_call(parser, words, said):
    assert refusal(lambda: parser(words)).endswith(said)


@pytest.mark.parametrize("source", ["Dogs bark.", ["Dogs bark.", "They sleep."]])
def test_a_text_in_place_of_a_path_is_told_from_a_missing_file(pipeline, source):
    assert refusal(lambda: list(pipeline.parse(source))) == (
        "'Dogs bark.': there is no such file; name one, or parse a text with parser(text)"
    )


def test_a_string_of_conllu_is_parsed_as_conllu(pipeline):
    sentences = list(generate(3, seed=4))
    text = "\n".join(map(str, sentences))
    assert [one.forms for one in pipeline(text)] == [one.forms for one in sentences]
    assert [str(one) for one in pipeline(text)] == [str(one) for one in pipeline.parse(sentences)]
    assert "".join(pipeline("1\tDogs bark.")[0].forms) == "1Dogsbark."


@pytest.mark.parametrize("words", ["50", None, 50.5, True, 9, 20_001])
def test_limits_of_words_are_whole_numbers(parser, words):
    said = f"longest = {words!r} is not between 10 and 20,000; 1,000 is a good number"
    assert refusal(lambda: parser.with_longest(words)) == said


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda parser: text.draw([DOGS]), "draw one sentence at a time; show.html draws many on a page"),
        (lambda parser: svg.draw(DOGS, [DOGS]), "draw one sentence at a time; show.html draws many on a page"),
        (lambda parser: svg.draw(3), "draw one sentence at a time; show.html draws many on a page"),
        (lambda parser: html.draw([["Dogs"]]), "make one of words with headway.Sentence(['Dogs', 'bark'])"),
        (
            lambda parser: parser.k_best([DOGS], 2),
            "give one at a time, or parse many with parser.parse(source, k_best=k)",
        ),
        (lambda parser: parser.parse_within([DOGS], headway.Constraints()), "give one at a time"),
        (lambda parser: parser.explain([DOGS]), "explain one sentence at a time"),
        (
            lambda parser: parser.update([DOGS]),
            "update with one sentence at a time, or with a headway.Document of several",
        ),
    ],
)
def test_several_sentences_in_place_of_one(parser, call, said):
    message = refusal(lambda: call(parser))
    assert message.startswith("expected a Sentence, got ") and message.endswith(f"; {said}")


def test_the_next_of_a_reader_is_that_of_an_iterator(tmp_path):
    headway.write([DOGS], tmp_path / "dogs.conllu")
    reader = headway.read(tmp_path / "dogs.conllu")
    assert refusal(lambda: next(reader)).endswith("take its first sentence with next(iter(reader))")
    assert next(iter(reader)) == DOGS and list(reader) == [DOGS]


def test_a_folder_is_refused_with_what_to_do(pipeline, tmp_path):
    remedy = f"name the files in it, as in {tmp_path}/*.conllu (in Python sorted(Path('{tmp_path}').glob('*.conllu')))"
    for call in (
        lambda: list(pipeline.parse(tmp_path)),
        lambda: list(headway.read(tmp_path)),
        lambda: headway.train(tmp_path),
        lambda: headway.evaluate(f"{tmp_path}/", f"{tmp_path}/"),
    ):
        assert refusal(call).endswith(f": this is a folder; {remedy}")
    (tmp_path / "dogs.txt").write_text("Dogs bark.")
    assert [one.text for one in pipeline.parse(sorted(tmp_path.glob("*.txt")))] == ["Dogs bark."]
    pipeline.save(tmp_path / "m")
    for words in (["parse", tmp_path / "m", tmp_path], ["train", tmp_path, "-o", tmp_path / "n"]):
        done = subprocess.run([sys.executable, "-m", "headway", *words], capture_output=True, text=True)
        assert done.returncode == 2 and done.stderr.endswith(f": this is a folder; {remedy}\n")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda parser: headway.select(parser, [DOGS], "5"), "n = '5' is not a whole number; give one from 1 on"),
        (lambda parser: headway.select(parser, [DOGS], 0), "n = 0 is out of range; give a number from 1 on"),
        (
            lambda parser: headway.cross_validate([DOGS] * 4, folds=2.5),
            "folds = 2.5 is not a whole number; give one from 2",
        ),
        (lambda parser: headway.cross_validate([DOGS] * 4, folds=2, jobs="2"), "jobs = '2' is not a whole number"),
        (lambda parser: text.draw(DOGS, width="x"), "width = 'x' is not a whole number"),
        (
            lambda parser: parser.parse_within(DOGS, {2: 0}),
            "expected Constraints, got a dict; write Constraints(requ",
        ),
        (
            lambda parser: parser.parse_within(DOGS, None),
            "expected Constraints, got None; write Constraints(requ",
        ),
        (
            lambda parser: parser.update(DOGS, {2: 0}),
            "expected Constraints, got a dict; write Constraints(requ",
        ),
        (lambda parser: headway.Constraints(required=[(1, 2)]), "required = [(1, 2)] is not a mapping of words"),
        (lambda parser: headway.Constraints(labels=["obj"]), "labels = ['obj'] is not a mapping of words"),
        (lambda parser: headway.Constraints(spans=3), "spans = 3 is not a list of pairs; write [(2, 1)]"),
        (lambda parser: parser.annotate(DOGS), "expected a Batch, got a Sentence; parse sentences with parser.parse"),
        (lambda parser: headway.read("x", partial="no"), "partial = 'no' is neither yes nor no; give True or False"),
        (lambda parser: headway.train([DOGS], force="yes"), "force = 'yes' is neither yes nor no"),
        (lambda parser: headway.cross_validate([DOGS] * 4, folds=2, force=1), "force = 1 is neither yes nor no"),
        (lambda parser: headway.discover([DOGS], output="x", force="no"), "force = 'no' is neither yes nor no"),
        (
            lambda parser: headway.continue_training(parser, [DOGS], shuffle="no"),
            "shuffle = 'no' is neither yes nor no",
        ),
        (lambda parser: headway.load("x", mapped="no"), "mapped = 'no' is neither yes nor no"),
        (lambda parser: headway.train([DOGS], resume="no"), "resume = 'no' is neither yes nor no"),
    ],
)
def test_arguments_of_another_kind_are_refused_in_a_sentence(parser, call, said):
    assert refusal(lambda: call(parser)).startswith(said)


@pytest.mark.parametrize("thing", [None, 3])
def test_what_is_no_text_is_not_explained(pipeline, thing):
    assert refusal(lambda: list(pipeline.explain_text(thing))).startswith(f"expected text, got {thing}; give a string")
