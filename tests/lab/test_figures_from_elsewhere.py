"""Figures that no task has measured stand in a table like the others, with a mark and their source."""

import pytest
from recipe_files import GOOD, made, recipe_text, results_of

from headway.base.errors import HeadwayError
from headway.lab.reports.tables import table_of

PART = '[[part]]\nname = "test"\n'
TABLE = '[[table]]\ntitle = "t"\npart = "test"\nrows = ["configuration"]\nmetrics = ["LAS", "UAS", "model MiB"]\n'
PEER = '[[table.elsewhere]]\nname = "peer"\nfigures = {LAS = 85.14, "model MiB" = 3}\nsource = "Measured by others."\n'


def test_rows_have_a_mark_and_a_note(tmp_path):
    found = results_of(recipe_text(PART + TABLE + PEER + PEER.replace("peer", "other")), tmp_path, lambda *_: GOOD)
    table = table_of(found.recipe.tables[0], found)
    assert table.rows == [
        ("cw", "95.00", "95.00", "2.0"),
        ("peer ‡", "85.14", "–", "3.0"),
        ("other ‡", "85.14", "–", "3.0"),
    ]
    assert table.notes == ["‡ Measured by others."]


def test_columns_of_several_treebanks_are_no_place_for_them():
    two = recipe_text(PART + TABLE + PEER + "[sources.b]\nsample = {sentences = 9}\n", treebanks='["sample", "b"]')
    with pytest.raises(HeadwayError, match="figures from elsewhere"):
        made(two)
    assert made(two.replace('rows = ["conf', 'mean = true\nrows = ["conf')).tables[0].elsewhere


def test_the_quick_form_leaves_them_out():
    text = recipe_text(PART + TABLE + PEER + "[quick]\nsentences = 20\n")
    assert made(text).tables[0].elsewhere and not made(text, quick=True).tables[0].elsewhere
