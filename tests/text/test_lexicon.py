import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.base.errors import HeadwayError
from headway.text.lemmatizer.edit_scripts import applied
from headway.text.lexicon import COLUMNS, read_lexicon

LINES = """# a comment
dogs\tdog\tNOUN
saw\tsee\tVERB\tVBD\tMood=Ind|Tense=Past|VerbForm=Fin
saw\tsaw\tNOUN\tNN\tNumber=Sing

#\t#\tSYM
Paris\tParis\tPROPN
saw\tsaw\tNOUN\tNN\tNumber=Sing
"""


@pytest.fixture
def written(tmp_path):
    def write(text):
        path = tmp_path / "lexicon.tsv"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def lines_of(lexicon, form):
    """The analyses of a form, as lines of the file without the form itself."""
    return lexicon.get(form)


def test_analyses_of_a_form_in_the_order_of_the_file(written):
    lexicon = read_lexicon(written(LINES))
    assert len(lexicon) == 4
    assert lines_of(lexicon, "dogs") == [("NOUN", "_", "_", "lower|*|s>")]
    assert [one[:3] for one in lines_of(lexicon, "saw")] == [
        ("VERB", "VBD", "Mood=Ind|Tense=Past|VerbForm=Fin"),
        ("NOUN", "NN", "Number=Sing"),
    ]
    assert lines_of(lexicon, "#") == [("SYM", "_", "_", "lower|*")]
    assert lines_of(lexicon, "cat") is None


def test_compressed_files_windows_lines_and_no_line_break_at_the_end(tmp_path):
    path = tmp_path / "lexicon.gz"
    path.write_bytes(gzip.compress("\ufeffdogs\tdog\tNOUN\r\ncats\tcat\tNOUN".encode()))
    lexicon = read_lexicon(path)
    assert lines_of(lexicon, "dogs") == lines_of(lexicon, "cats") == [("NOUN", "_", "_", "lower|*|s>")]


CELL = st.text(st.characters(blacklist_characters="\t\n\r\ufeff", blacklist_categories=("Cs",)), min_size=1, max_size=6)
ROW = st.lists(CELL.filter(str.strip), min_size=3, max_size=5)


@given(rows=st.lists(ROW, min_size=1, max_size=20))
def test_every_line_is_found_with_its_lemma(rows, tmp_path_factory):
    path = tmp_path_factory.mktemp("lexicon") / "any.tsv"
    path.write_text("".join("\t".join(row) + "\n" for row in rows), "utf-8", newline="")
    lexicon = read_lexicon(path)
    assert len(lexicon) == len({row[0] for row in rows})
    for form, lemma, *tags in rows:
        wanted = (*tags, *["_"] * (len(COLUMNS) - 2 - len(tags)))
        assert (wanted, lemma) in [(found[:3], applied(found[3], form)) for found in lines_of(lexicon, form)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("dogs\tdog\n", "lexicon.tsv:1: 'dogs\\tdog' has 2 columns; write form<TAB>lemma<TAB>UPOS, and after it XPOS"),
        ("a\ta\tX\n1\t2\t3\t4\t5\t6\n", "lexicon.tsv:2: .* has 6 columns"),
        ("dogs\t\tNOUN\n", "lexicon.tsv:1: the lemma is empty; write form<TAB>lemma<TAB>UPOS"),
        ("dogs\tdog\t\n", "the UPOS is empty; write _ where it is not known"),
        (b"d\xffgs\tdog\tNOUN\n", "lexicon.tsv:1: byte 0xff is not UTF-8; save the lexicon as UTF-8"),
        ("# nothing\n\n", "the lexicon has no lines; write form<TAB>lemma<TAB>UPOS"),
    ],
)
def test_bad_lines_are_one_sentence(written, text, said):
    with pytest.raises(HeadwayError, match=said.replace("\\t", ".*")):
        read_lexicon(written(text))


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(HeadwayError, match="No such file"):
        read_lexicon(tmp_path / "none.tsv")
