def test_the_demo_runs_and_keeps_its_files_where_asked(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run("demo", "--keep", "kept")
    assert result.exit_code == 0
    for expected in (
        "$ headway sample",
        "$ headway info train.conllu",
        "sentences",
        "$ headway train",
        "LAS",
        "$ headway show",
        "✗",
    ):
        assert expected in result.stdout
    assert (tmp_path / "kept" / "train.conllu").exists()


def test_the_demo_leaves_nothing_behind(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("demo").exit_code == 0
    assert list(tmp_path.iterdir()) == []
