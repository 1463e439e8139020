from headway.show.reports.page import LONG, Bold, Page, Section, Table, markdown, markdown_table

TABLE = Table("Numbers", ("name", "x"), [("a|b", Bold("1|2"))], notes=["A note."])


def test_a_table_has_names_on_the_left_and_numbers_on_the_right():
    assert markdown_table(TABLE) == "| name | x |\n| :-- | --: |\n| a\\|b | **1\\|2** |"


def test_a_page_in_its_order():
    text = markdown(Page("All", ["First.", "Second."], [Section("Part", ["Said."], tables=[TABLE])]))
    table = markdown_table(TABLE)
    assert text == f"# All\n\nFirst.\n\nSecond.\n\n## Part\n\nSaid.\n\n### Numbers\n\n{table}\n\nA note.\n"
    own = TABLE._replace(title="Part", notes=[])
    assert markdown(Page("All", [], [Section("Part", tables=[own])])) == f"# All\n\n## Part\n\n{table}\n"


def test_a_long_page_has_contents_with_the_anchors_of_its_headings():
    sections = [Section("Part: one", tables=[TABLE]) for _ in range(LONG)]
    text = markdown(Page("Numbers", [], sections))
    assert text.startswith("# Numbers\n\n- [Part: one](#part-one)\n- [Part: one](#part-one-1)\n")


def test_tables_between_sections_count_where_anchors_are_alike():
    """As on GitHub, where all headings of a page share their names."""
    sections = [Section("One", tables=[TABLE]), Section("Numbers")]
    assert Page("All", [], sections).anchors() == ["one", "numbers-1"]
    assert Page("Numbers", [], sections).anchors() == ["one", "numbers-2"]
