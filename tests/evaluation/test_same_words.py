import pytest

from headway import Sentence, write
from headway.base.errors import HeadwayError
from headway.evaluation.evaluate import evaluate


def chain(*forms):
    return Sentence(forms=forms, heads=range(len(forms)), comments=["# text"])


@pytest.fixture
def files(tmp_path):
    def make(gold, system):
        write([chain(*text.split()) for text in gold], tmp_path / "gold.conllu")
        write([chain(*text.split()) for text in system], tmp_path / "system.conllu")
        return tmp_path / "gold.conllu", tmp_path / "system.conllu"

    return make


WORD = "{gold}:7 and {system}:7: word 2 of sentence 2 is 'd' in the gold file and 'x' in the system file; give the same"
ANOTHER = "{gold}:7 and {system}:7: word 2 of sentence 2 is 'd' in the gold file and 'e' in the system file"
ENDS = "{gold}:3 and {system}:4: word 3 of sentence 1 is nothing in the gold file and 'c' in the system file"
SHORTER = "{gold}:8 and {system} (3 sentences and 2): word 1 of sentence 3 is 'c' in the gold file and nothing in"
LONGER = "{gold} and {system}:5 (1 sentence and 2): word 1 of sentence 2 is nothing in the gold file and 'b' in"
CUT = "{gold}:6 and {system}:5 (3 sentences and 4): word 2 of sentence 2 is 'c' in the gold file and nothing in"
FIRST = "{gold}:5 and {system}:5 (3 sentences and 2): word 1 of sentence 2 is 'b' in the gold file and 'x' in"


@pytest.mark.parametrize(
    ("gold", "system", "expected"),
    [
        (["a b", "c d e"], ["a b", "c x e"], WORD),
        (["a b", "c d e f"], ["a b", "c e f"], ANOTHER),
        (["a b"], ["a b c"], ENDS),
        (["a b x", "c"], ["a b", "q"], "word 3 of sentence 1 is 'x' in the gold file and nothing in the system file"),
        (["a", "b", "c"], ["a", "b"], SHORTER),
        (["a"], ["a", "b"], LONGER),
        (["a", "b c", "d"], ["a", "b", "c", "d"], CUT),
        (["a", "b", "c"], ["a", "x"], FIRST),
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
