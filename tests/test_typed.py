"""A script of a user with type hints runs; `.ci/run` and tests/cli/test_derived_options.py have its types checked."""

import study

from headway.features.own_columns import COLUMNS


def test_the_script_runs(tmp_path, capsys):
    try:
        study.main(tmp_path)
    finally:
        COLUMNS.unregister("in_list")
    assert capsys.readouterr().out.startswith("LAS ")
