"""What is right of raw text, by sentence, comes to the scores of the whole file."""

import pytest

from headway import Sentence, read
from headway.evaluation.comparison import compare
from headway.evaluation.scores import scores_of
from headway.evaluation.text_scores import TESTED, text_tallies
from headway.formats.plain_text import text_of
from headway.sample import generate


def other_cut(sentences):
    """The same text with other sentences, words, tags and heads."""
    for number, sentence in enumerate(sentences):
        if number % 3 == 0 and len(sentence) > 4:
            for some in (slice(0, 2), slice(2, None)):
                columns = {name: getattr(sentence, name)[some] for name in ("forms", "lemmas", "xpos", "deprels")}
                words = len(columns["forms"])
                yield Sentence(**columns, upos=["X"] * words, heads=[0] + [1] * (words - 1))
        else:
            yield sentence.replace(feats=["_"] * len(sentence))


def test_sums_over_sentences_are_the_scores():
    gold = list(generate(30, seed=5))
    found = compare(gold, list(other_cut(gold)), definition="ud")
    scores, tallies = scores_of(found), text_tallies(found)
    assert list(tallies) == list(TESTED)
    for name, tally in tallies.items():
        score = scores[name]
        assert (tally.correct.sum(), tally.gold.sum(), tally.system.sum()) == (score.correct, score.gold, score.system)
    assert scores["UPOS"].f1 < scores["Words"].f1


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
    assert "".join(text_of(read(path))) == text
