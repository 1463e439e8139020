"""What is right of raw text, by sentence, comes to the scores of the whole file."""

import pytest

from headway import Sentence, read
from headway.base.errors import HeadwayError
from headway.data.formats.writing import running_text
from headway.data.sample import generate
from headway.evaluation.breakdowns import groups
from headway.evaluation.comparison import compare
from headway.evaluation.definitions import DEFINITIONS
from headway.evaluation.evaluate import items_of, scores_of
from headway.evaluation.metrics.ud import SHOWN


def tree(heads):
    """The heads if no word is its own, else a chain."""
    return heads if all(head != at for at, head in enumerate(heads, 1)) and 0 in heads else range(len(heads))


def other_cut(sentences):
    """The same text with other sentences, words, tags and heads."""
    for number, sentence in enumerate(sentences):
        if number % 3 == 0 and len(sentence) > 4:
            for some in (slice(0, 2), slice(2, None)):
                columns = {name: getattr(sentence, name)[some] for name in ("forms", "lemmas", "xpos", "deprels")}
                words = len(columns["forms"])
                yield Sentence(**columns, upos=["X"] * words, heads=[0] + [1] * (words - 1))
        elif number % 3 == 1 and len(sentence) > 4:
            forms = ["".join(sentence.forms[:2]), *sentence.forms[2:]]
            heads = [max(0, head - 1) for head in sentence.heads[1:]]
            yield Sentence(forms=forms, upos=sentence.upos[1:], heads=tree(heads), deprels=sentence.deprels[1:])
        else:
            yield sentence.replace(feats=["_"] * len(sentence))


@pytest.mark.parametrize("definition", DEFINITIONS)
def test_sums_over_sentences_are_the_scores(definition):
    gold = list(generate(30, seed=5, difficulties=0.5))
    system = other_cut(gold) if definition == "ud" else [one.replace(heads=[0] * len(one)) for one in gold]
    found = compare(gold, list(system), definition=definition)
    scores = scores_of(found)
    assert len(scores) == (17 if definition == "ud" else 7)
    for name, score in scores.items():
        one = items_of(found, name).tally(found.gold.columns.sentences)
        assert (one.correct.sum(), one.gold.sum(), one.system.sum()) == (score.correct, score.gold, score.system)
    if definition == "ud":
        assert set(SHOWN) < set(scores) and scores["UPOS"].f1 < scores["Words"].f1 < 1
        assert min(scores["Tokens"].correct, scores["MLAS"].correct) > 0


@pytest.mark.parametrize("definition", DEFINITIONS)
def test_labels_are_scored_as_the_breakdown_has_them(definition):
    gold = list(generate(30, seed=5))
    found = compare(gold, [one.replace(deprels=["nsubj"] * len(one)) for one in gold], definition=definition)
    for group in groups(found, "label"):
        if group.gold:
            score = items_of(found, f"LAS:{group.value}").score
            assert (score.correct, score.gold, score.system) == (group.right, group.gold, group.system)
    with pytest.raises(HeadwayError, match=r"no score 'LAS:none' with .*; known are: .*LAS, .*LAS:LABEL, .*nsubj"):
        items_of(found, "LAS:none")


@pytest.mark.parametrize(
    ("comments", "text"),
    [
        (([], []), "Dogs bark. Dogs bark. \n"),
        ((["# newdoc"], ["# newpar id = 2"]), "Dogs bark. \n\nDogs bark. \n"),
        ((["# newpar"], ["# newparagraph = no"]), "Dogs bark. Dogs bark. \n"),
        ((["# text = Dogs  bark."], ["# newdoc id = b", "# newpar"]), "Dogs  bark. \n\nDogs bark. \n"),
    ],
)
def test_the_text_of_a_treebank(comments, text, run, tmp_path):
    cells = (("Dogs", "_"), ("bark", "SpaceAfter=No"), (".", "_"))
    rows = ["\t".join([str(at), form, *"_______", misc]) for at, (form, misc) in enumerate(cells, 1)]
    path = tmp_path / "a.conllu"
    path.write_text("".join("\n".join([*some, *rows]) + "\n\n" for some in comments))
    done = run("convert", path, "--to", "text")
    assert done.exit_code == 0 and done.stdout == text
    assert "".join(running_text(read(path))) == text
