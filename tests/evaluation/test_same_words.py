import pytest

from headway import Sentence, write
from headway.base.errors import HeadwayError
from headway.evaluation.scores import evaluate


def chain(*forms):
    return Sentence(forms=forms, heads=range(len(forms)), comments=["# text"])


@pytest.fixture
def files(tmp_path):
    def make(gold, system):
        write([chain(*text.split()) for text in gold], tmp_path / "gold.conllu")
        write([chain(*text.split()) for text in system], tmp_path / "system.conllu")
        return tmp_path / "gold.conllu", tmp_path / "system.conllu"

    return make


WORD = "{gold}:7 and {system}:7: word 2 of sentence 2 is 'd' in the gold file and 'x' in the system file"
LENGTH = "{gold}:6 and {system}:6: sentence 2 has 4 words in the gold file and 3 in the system file, from"
SHORTER = "{gold} has 3 sentences and {system} has 2; the first without a partner is sentence 3, {gold}:8;"
LONGER = "{gold} has 1 sentence and {system} has 2; the first without a partner is sentence 2, {system}:5;"
CUT = "{gold} has 3 sentences and {system} has 4; the first that differs is sentence 2 ({gold}:5, {system}:5)"
ENDS = "3 in the system file, from word 3: nothing against 'c'; give the same words in both files"


@pytest.mark.parametrize(
    ("gold", "system", "expected"),
    [
        (["a b", "c d e"], ["a b", "c x e"], WORD),
        (["a b", "c d e f"], ["a b", "c e f"], LENGTH),
        (["a b", "c d e f"], ["a b", "c e f"], "from word 2: 'd' against 'e'; give the same words"),
        (["a b"], ["a b c"], ENDS),
        (
            ["a b x", "c"],
            ["a b", "q"],
            "sentence 1 has 3 words in the gold file and 2 in",
        ),
        (["a", "b", "c"], ["a", "b"], SHORTER),
        (["a"], ["a", "b"], LONGER),
        (["a", "b c", "d"], ["a", "b", "c", "d"], CUT),
        (
            ["a", "b", "c"],
            ["a", "x"],
            "{gold}:5 and {system}:5: word 1 of sentence 2 is 'b' in the gold file",
        ),
    ],
)
@pytest.mark.parametrize("definition", ["all", "conllx"])
def test_the_first_difference_is_named_in_both_files(files, gold, system, expected, definition):
    paths = files(gold, system)
    with pytest.raises(HeadwayError) as error:
        evaluate(*paths, definition=definition)
    assert expected.format(gold=paths[0], system=paths[1]) in str(error.value)


def test_the_same_words_are_no_error(files):
    assert evaluate(*files(["a b", "c"], ["a b", "c"]), definition="all")["LAS"].correct == 3
