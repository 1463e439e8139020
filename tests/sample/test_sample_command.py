from headway.data.formats.reading import read
from headway.data.sample import generate_text


def test_standard_output(run):
    result = run("sample", "-n", 20, "--seed", 3)
    assert result.exit_code == 0
    assert result.stdout == "".join(generate_text(20, seed=3))


def test_a_file_in_the_format_of_its_name(run, tmp_path):
    target = tmp_path / "sample.conllx"
    assert run("sample", "-o", target, "--tokens", 300, "--labels", 12).exit_code == 0
    sentences = list(read(target))
    assert sum(map(len, sentences[:-1])) < 300 <= sum(map(len, sentences))
    assert len({label for sentence in sentences for label in sentence.deprels}) <= 12


def test_a_thousand_sentences_by_default(run):
    assert run("sample").stdout.count("# sent_id") == 1000


def test_a_bad_option_is_one_sentence(run, tmp_path):
    target = tmp_path / "sample.conllu"
    result = run("sample", "-o", target, "--nonprojective", 2)
    assert result.exit_code == 2
    assert "nonprojective = 2 is out of range" in result.output
    assert not target.exists()
