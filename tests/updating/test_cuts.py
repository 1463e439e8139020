"""Corrected documents teach segmenters where to cut and what to split, and the stages behind it the rest."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import headway
from headway import Document, HeadwayError, Multiword, Sentence
from headway.data.sample import generate
from headway.text.segmenter.options import SegmenterOptions

TEXT = "The dogs bark at him. They do not sleep."


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("cuts") / "cuts.headway"
    headway.train(generate(40, seed=1), pipeline=True, folds=2, features="malt-14", passes=1).save(path)
    return path


def cut(*sentences):
    """Sentences of strings: tokens with spaces between, `_` for a space in a token, `=` before the words of one."""
    made = []
    for sentence in sentences:
        forms, multiwords = [], []
        for token in sentence.split():
            form, *words = token.replace("_", " ").split("=")
            words = words or [form]
            if len(words) > 1:
                multiwords.append(Multiword(len(forms) + 1, len(forms) + len(words), form))
            forms += words
        made.append(Sentence(forms, multiwords=multiwords))
    return made


def tokens(parser, text):
    """Words and tokens of all sentences."""
    return [(one.forms, [form for form, _ in one.surface()]) for one in parser(text)]


CORRECTIONS = [
    (TEXT, ["The dogs bark at him .", "They do not sleep ."]),
    (TEXT, ["The dogs bark at him . They do not sleep ."]),
    (TEXT, ["The dogs", "bark at him .", "They do not sleep", "."]),
    (TEXT, ["The do gs bark at h i m .", "They do_not sleep."]),
    (TEXT, ["The dogs=do=gs bark at him .", "They=Th=ey do not sleep ."]),
    ("See www.example.com/a or @you at 12.5%.", ["See www .example.com/a or @ you at 12 . 5 % ."]),
    ("(@you)  10\n000 ...", ["(@you ) 10_000 . . ."]),
    ("ab ba ab ba ab", ["ab=a=b ba", "ab=a=b ba ab=a=b"]),
    ("The dogs.\n\n They bark.", ["The dogs", ".", "They bark ."]),
    ("\ufeff\n 漢字かな dogs", ["漢字か な dogs"]),
]


@pytest.mark.parametrize(("text", "sentences"), CORRECTIONS)
def test_what_is_corrected_is_cut_so(model, text, sentences):
    parser = headway.load(model)
    right = Document(cut(*sentences), text)
    assert parser.update(right, corrected="cuts")
    wanted = [(one.forms, [form for form, _ in one.surface()]) for one in right]
    assert tokens(parser, text) == wanted
    assert [one.forms for one in next(parser.pipe([text]))] == [one.forms for one in right]
    assert parser.update(parser(text), corrected="cuts")
    assert [token.start for one in parser(text) for token in one] == [token.start for one in right for token in one]


def test_corrections_are_saved_pickled_and_nobody_elses(model, tmp_path):
    parser, others = headway.load(model), headway.load(model)
    for number, (text, sentences) in enumerate(CORRECTIONS):
        holder = headway.Parser(parser.stages)
        before = [tokens(holder, one) for one, _ in CORRECTIONS]
        parser.update(Document(cut(*sentences), text), corrected="cuts")
        assert [tokens(holder, one) for one, _ in CORRECTIONS] == before
        if number % 2:
            parser.update(Document(cut(*sentences), text), corrected="cuts")
    found = [tokens(parser, one) for one, _ in CORRECTIONS]
    parser.save(tmp_path / "learned.headway")
    for again in (headway.load(tmp_path / "learned.headway"), pickle.loads(pickle.dumps(parser))):
        assert [tokens(again, one) for one, _ in CORRECTIONS] == found
        assert again.update(Document(cut("Do gs ba=b=a"), "Dogs ba"), corrected="cuts")
    assert [tokens(others, one) for one, _ in CORRECTIONS] == [
        tokens(headway.load(model), one) for one, _ in CORRECTIONS
    ]


def test_what_was_opened_is_opened_elsewhere_and_nothing_else(model):
    parser = headway.load(model)
    assert parser.update(Document(cut("They are gon na bark ."), "They are gonna bark."), corrected="cuts")
    for text in ("Gonna bark.", "He is (gonna) see."):
        assert any(form.lower() == "gon" for one in parser(text) for form in one.forms)
    assert parser("The Madonna sleeps.")[0].forms == ["The", "Madonna", "sleeps", "."]
    with parser.lent() as row:
        assert len(row.segmenter.learned) == 1


def test_all_stages_learn_what_is_new(model):
    parser = headway.load(model)
    found = parser(TEXT)
    [first, second] = cut("The dogs bark at him .", "They do not=no=t sleep .")
    first = first.replace(upos=["X"] * 6, lemmas=["zork"] * 6, heads=[2, 0, 2, 2, 4, 2], deprels=["a", "root", *"bcde"])
    right = found.replace([first, second])
    assert parser.update(right)
    again = parser(TEXT)
    assert again[1].forms == second.forms
    assert (again[0].upos, again[0].lemmas, again[0].heads.tolist(), again[0].deprels) == (
        *(first.upos, first.lemmas, first.heads.tolist(), first.deprels),
    )
    stages = parser.stages
    assert parser.update(again) and parser.stages == stages


def test_a_parsed_sentence_counts_as_its_reader_sees_it(model):
    """What stages have found lies over the cells that were read, and is what somebody sees and corrects."""
    parser = headway.load(model)
    [found] = parser.parse([next(iter(generate(1, seed=9))).replace(upos=None, heads=None, deprels=None, lemmas=None)])
    stages = parser.stages
    assert parser.update(found) and parser.stages == stages
    for one in parser(TEXT):
        assert parser.update(one) and parser.stages == stages
    heads = found.heads.tolist()
    changed = found.replace(upos=["X", *found.upos[1:]])
    parser.update(changed)
    assert parser.parse(found).upos[0] == "X" and parser.parse(found).heads.tolist() == heads


def test_a_document_without_text_has_that_of_its_sentences(model):
    parser = headway.load(model)
    conllu = "".join(one.to_conllu() for one in parser(TEXT))
    right = Document(headway.from_conllu(conllu))
    assert right.text == "The dogs bark at him.\nThey do not sleep."
    assert parser.update(right)
    assert parser.update(Document(cut("The do=d=o", "gs")), corrected="cuts")
    assert tokens(parser, "The do\ngs") == [(["The", "d", "o"], ["The", "do"]), (["gs"], ["gs"])]


def test_a_segmenter_alone_learns():
    segmenter = headway.train(generate(20), SegmenterOptions(passes=1))
    assert segmenter.update(Document(cut("no where"), "nowhere"))
    assert tokens(segmenter, "nowhere no") == [(["no", "where", "no"],) * 2]


def test_forged_places_are_refused():
    segmenter = headway.train(generate(20), SegmenterOptions(passes=1))
    segmenter.update(Document(cut("no where , e very where"), "nowhere, everywhere"))
    stage = segmenter.stages[0]
    header, arrays = stage.pack()
    keys, offsets = arrays["place_keys"], arrays["place_offsets"]
    assert len(keys) == 3 and not list(stage.schema.wrong(header, arrays))
    for wrong in (
        {"place_keys": keys[::-1]},
        {"place_keys": keys[1:]},
        {"place_offsets": offsets - offsets.max()},
        {"place_offsets": offsets.astype(np.int64)},
    ):
        assert list(stage.schema.wrong(header, {**arrays, **wrong}))
    far = {**arrays, "place_offsets": np.full(3, 2**31 - 1, np.int32)}
    assert headway.Parser([type(stage).unpack((header, far), "forged")])("nowhere")[0].forms == ["nowhere"]


@pytest.mark.parametrize(
    ("document", "named", "message"),
    [
        (lambda: Document(cut("e \u0301a"), "e\u0301a"), None, "inside of the last character of 'e\u0301'"),
        (lambda: Document(cut("a b"), "a\n\nb"), None, "goes on behind 'a', where the text has a blank line"),
        (lambda: Document(cut("a" * 40_000), "a" * 40_000), None, "more than 32,768 characters"),
        (lambda: cut("The dogs")[0], "cuts", r"learned from a text; give a document, such as headway.Document\("),
        (lambda: cut("The dogs"), None, "expected a Sentence, got a list; .*headway.Document"),
    ],
)
def test_what_cannot_be_learned_is_refused(model, document, named, message):
    with pytest.raises(HeadwayError, match=message):
        headway.load(model).update(document(), corrected=named)


def test_a_document_for_a_parser_alone_teaches_trees():
    parser = headway.train(generate(20), passes=1, features="malt-14")
    golds = list(generate(3, seed=3))
    assert parser.update(Document(golds))
    assert [one.heads.tolist() for one in parser.parse(golds)] == [one.heads.tolist() for one in golds]
    with pytest.raises(HeadwayError, match="no stage of the model gives it"):
        parser.update(Document(golds), corrected="cuts")


def test_threads_teach_cuts_and_parse(model):
    parser = headway.load(model)

    def work(number):
        text = f"The dog{number}s bark. They bark."
        if number % 2:
            return parser.update(Document(cut(f"The dog{number} s bark .", "They bark ."), text), corrected="cuts")
        return len(parser(text)) > 0

    with ThreadPoolExecutor(4) as pool:
        assert np.mean(list(pool.map(work, range(24)))) == 1
    assert parser("The dog7s bark.")[0].forms[1:3] == ["dog7", "s"]
