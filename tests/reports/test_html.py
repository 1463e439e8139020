from pages import Tags

from headway.reports.html import DAY, NIGHT, page, table


def test_a_page_has_one_style_in_its_head():
    text = page("A & B", ["<p>body</p>"], style="p { color: red; }\n")
    assert Tags(text).seen == ["html", "head", "meta", "title", "meta", "style", "body", "h1", "p"]
    assert text.index("p { color: red; }") < text.index("</style>") < text.index("</head>")
    assert "<title>A &amp; B</title>" in text


def test_every_colour_has_its_value_for_day_and_night():
    assert list(DAY) == list(NIGHT)
    text = page("", [])
    assert all(f"--{name}: {colour};" in text for colours in (DAY, NIGHT) for name, colour in colours.items())


def test_columns_of_names_are_marked_in_every_row():
    text = table(["gold", "system", "count"], [("a<b", "c", 1), ("d", "e", 2)], names=2)
    rows = [line for line in text.split("\n") if "<tr>" in line]
    assert len(rows) == 3
    assert [row.count('class="name"') for row in rows] == [2, 2, 2]
    assert rows[1] == '<tr><td class="name">a&lt;b</td><td class="name">c</td><td>1</td></tr>'
    assert '<th class="name">gold</th><th>count</th>' in table(["gold", "count"], [])
