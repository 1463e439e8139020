"""The text of a treebank, and what is lost on the way."""

import io

from headway.data.formats.reading import InputReader, read
from headway.data.formats.writing import convert, write
from headway.data.sample import generate
from headway.data.sentence import views

TREEBANK = """\
# newdoc
# text = Don't go!
1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\t_
1\tDo\tdo\tAUX\t_\t_\t3\taux\t_\t_
2\tn't\tnot\tPART\t_\t_\t3\tadvmod\t_\t_
3\tgo\tgo\tVERB\t_\t_\t0\troot\t_\tSpaceAfter=No
4\t!\t!\tPUNCT\t_\t_\t3\tpunct\t_\t_

1\tWhy\twhy\tADV\t_\t_\t0\troot\t_\tSpaceAfter=No
2\t?\t?\tPUNCT\t_\t_\t1\tpunct\t_\tSpaceAfter=No

# newpar id = 2
# text = Well
1\tWell\twell\tINTJ\t_\t_\t0\troot\t_\t_

"""


def reader(text, form=None, **how):
    file = io.BytesIO(text if isinstance(text, bytes) else text.encode())
    file.name = "file"
    return read(file, format=form, **how)


def test_conversion_to_text(tmp_path):
    losses = convert(reader(TREEBANK), tmp_path / "out.txt", "text")
    assert (tmp_path / "out.txt").read_text() == "Don't go! Why? \n\nWell \n"
    assert not losses


def test_nobody_expects_lemmas_in_a_text(run, tmp_path):
    (tmp_path / "in.conllu").write_text(TREEBANK)
    result = run("convert", str(tmp_path / "in.conllu"), "--to", "text")
    assert result.exit_code == 0 and "Don't go! Why? \n\nWell" in result.output and result.stderr == ""


def test_a_name_that_says_text_is_a_target(run, tmp_path):
    (tmp_path / "in.conllu").write_text(TREEBANK)
    result = run("convert", tmp_path / "in.conllu", "-o", tmp_path / "out.txt")
    assert (tmp_path / "out.txt").read_text() == "Don't go! Why? \n\nWell \n"
    assert "a file called .txt is text" in result.stderr and "keep the rest with --to" in result.stderr
    result = run("convert", tmp_path / "in.conllu", "-o", tmp_path / "out.txt.gz", "--to", "conllu")
    assert [*read(tmp_path / "out.txt.gz")] == [*read(tmp_path / "in.conllu")] and not result.stderr


def test_words_stand_on_lines(run, tmp_path):
    (tmp_path / "in.conllu").write_text(TREEBANK.replace("\tgo\tgo", "\tgo on\tgo on"))
    across = run("convert", tmp_path / "in.conllu", "--to", "horizontal")
    assert (across.stdout, across.stderr) == ("Do n't go\N{NO-BREAK SPACE}on !\nWhy ?\nWell\n", "")
    down = run("convert", tmp_path / "in.conllu", "--to", "vertical")
    assert (down.stdout, down.stderr) == ("Do\nn't\ngo on\n!\n\nWhy\n?\n\nWell\n\n", "")


def test_words_on_lines_are_read_again_as_they_were(tmp_path):
    sentences = list(generate(30, seed=3))
    for target, kind in (("horizontal", "tokens"), ("vertical", "vertical")):
        assert not write(sentences, tmp_path / "words.txt", format=target)
        again = [
            forms for batch in InputReader(tmp_path / "words.txt", input=kind).batches() for forms in forms_in(batch)
        ]
        assert again == [sentence.forms for sentence in sentences]
        convert(reader("".join(f"{one}\n" for one in sentences)), tmp_path / "converted.txt", target)
        assert (tmp_path / "converted.txt").read_bytes() == (tmp_path / "words.txt").read_bytes()


def forms_in(batch):
    return [sentence.forms for sentence in views([batch])]
