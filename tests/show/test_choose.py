import pytest

from headway import FormatError, HeadwayError, Sentence, read, write
from headway.evaluation.side_by_side import side_by_side
from headway.show.choose import Wanted
from headway.show.choose import choose as choose_pairs


def sentence(number, label="root"):
    return Sentence(forms=["a"], heads=[0], deprels=[label], comments=[f"# sent_id = s{number}"])


@pytest.fixture
def first(tmp_path):
    write([sentence(number) for number in range(1, 7)], tmp_path / "first.conllu")
    return read(tmp_path / "first.conllu")


@pytest.fixture
def second(tmp_path):
    write(
        [sentence(number, "dep" if number in (2, 5) else "root") for number in range(1, 7)], tmp_path / "other.conllu"
    )
    return read(tmp_path / "other.conllu")


def choose(reader, other=None, **how):
    pairs = side_by_side(reader, other) if other else ((sentence, None) for sentence in reader)
    return choose_pairs(pairs, reader.report.source, **how)


def numbers(chosen):
    return [each.number for each in chosen]


@pytest.mark.parametrize(
    ("values", "expected"),
    [(["3"], [3]), (["2-4"], [2, 3, 4]), (["s5", "1"], [1, 5]), (["2-3", "3-4"], [2, 3, 4])],
)
def test_sentences_are_chosen_by_number_and_name_in_the_order_of_the_file(first, values, expected):
    assert numbers(choose(first, wanted=Wanted.parse(values))) == expected


def test_all_or_the_first_ones_without_a_wish(first):
    assert numbers(choose(first)) == [1, 2, 3, 4, 5, 6]
    assert numbers(choose(first, limit=2)) == [1, 2]


def test_the_other_file_is_beside_the_first(first, second):
    assert [each.other.deprels for each in choose(first, second, wanted=Wanted.parse(["5"]))] == [["dep"]]


@pytest.mark.parametrize("value", ["0", "4-3", "0-2"])
def test_what_is_no_range_is_said(value):
    with pytest.raises(HeadwayError, match=f"'{value}' is not a range"):
        Wanted.parse([value])


@pytest.mark.parametrize(("value", "message"), [("7", "there is no sentence 7"), ("s9", "has the sent_id 's9'")])
def test_what_a_file_does_not_have_is_said(first, value, message):
    with pytest.raises(FormatError, match=message):
        list(choose(first, wanted=Wanted.parse([value])))


def test_a_shorter_file_is_an_error(first, tmp_path):
    write([sentence(1)], tmp_path / "short.conllu")
    with pytest.raises(FormatError, match=r"short.conllu: the file ends after 1 sentence, .*first.conllu goes on"):
        list(choose(first, read(tmp_path / "short.conllu")))
