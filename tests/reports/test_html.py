import re

from pages import Tags

from headway.show.reports.charts import lines
from headway.show.reports.page import DAY, LONG, NIGHT, TONES, Bold, Page, Section, Table, document, html, html_table


def test_a_page_has_one_style_in_its_head():
    text = document("A & B", ["<p>body</p>"], style="p { color: red; }\n")
    assert Tags(text).seen == ["html", "head", "meta", "title", "meta", "style", "body", "h1", "p"]
    assert text.index("p { color: red; }") < text.index("</style>") < text.index("</head>")
    assert "<title>A &amp; B</title>" in text


def test_every_colour_has_its_value_for_day_and_night():
    assert list(DAY) == list(NIGHT)
    text = document("", [])
    assert all(f"--{name}: {colour};" in text for colours in (DAY, NIGHT) for name, colour in colours.items())


def test_columns_of_names_are_marked_in_every_row():
    text = html_table(Table("T", ("gold", "system", "count"), [("a<b", "c", "1"), ("d", "e", "2")], names=2), {})
    rows = [line for line in text.split("\n") if "<tr>" in line]
    assert len(rows) == 3
    assert [row.count('class="name"') for row in rows] == [2, 2, 2]
    assert rows[1] == '<tr><td class="name">a&lt;b</td><td class="name">c</td><td>1</td></tr>'
    assert '<th class="name">gold</th><th>count</th>' in html_table(Table("T", ("gold", "count"), []), {})


def test_columns_of_long_texts_stay_wide_enough():
    text = html_table(Table("T", ("claim", "p"), [("a " * 40, "1"), ("b", "2")]), {})
    assert text.count('<td class="name long">') == 2 and '<th class="name long">claim</th>' in text


def test_bold_words_have_their_tone_and_others_none():
    cells = (Bold("refuted"), "refuted", Bold("12 <b>"), "**x**")
    text = html_table(Table("T", ("a", "b", "c", "d"), [cells], names=0), {"refuted": "no"})
    assert '<td><b class="tone no">refuted</b></td><td>refuted</td><td><b>12 &lt;b&gt;</b></td>' in text
    assert "<td>**x**</td>" in text
    frames = [frame for _, frame in TONES.values()]
    assert len(set(frames)) == len(frames)  # the frames alone tell words apart


def page(sections):
    figure = lines([1, 2], {"A": [1.0, 2.0]}, title="one")
    table = Table("Numbers", ("name", "x"), [("a", Bold("1"))], notes=["Said `below`."])
    made = [Section(f"Part {n}: x & y", ["Said `above` it."], [figure], [table]) for n in range(sections)]
    return Page("All", ["First.", "Second."], made)


def test_a_page_in_its_order():
    text = html(page(1))
    Tags(text)
    order = ["<h1>", "First.", "Second.", '<h2 id="part-0-x--y">Part 0: x &amp; y</h2>', "<code>above</code>"]
    order += ["<figure>", "<figcaption>one", "<h3>Numbers</h3>", '<div class="wide"', "<b>1</b>", "<code>below</code>"]
    places = [text.index(one) for one in order]
    assert places == sorted(places)
    assert "<nav" not in text


def test_a_long_page_has_contents_whose_links_lead_to_its_sections():
    text = html(page(LONG))
    links = re.findall(r'<a href="#([^"]+)">', text)
    assert len(links) == LONG and links == re.findall(r'<h2 id="([^"]+)">', text)
    assert text.index("Second.") < text.index("<nav") < text.index("<h2")


def test_code_in_cells_and_quotes_that_are_none():
    text = html_table(Table("T", ("a", "b"), [("with `local` & `mst`", "``"), ("`", "'' ``")]), {})
    assert "with <code>local</code> &amp; <code>mst</code></td><td>``</td>" in text
    assert '<td class="name">`</td><td>&#x27;&#x27; ``</td>' in text
