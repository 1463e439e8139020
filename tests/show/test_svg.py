import re
from itertools import combinations
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pages import Tags
from strategies import cell, trees

from headway import EmptyNode, HeadwayError, Multiword, Sentence
from headway.show import html, svg

NAMESPACE = "{http://www.w3.org/2000/svg}"
SENTENCE = Sentence(
    forms=["The", "old", "dog", "chased", "a", "cat"],
    upos=["DET", "ADJ", "NOUN", "VERB", "DET", "NOUN"],
    heads=[3, 3, 4, 0, 6, 4],
    deprels=["det", "amod", "nsubj", "root", "det", "obj"],
    comments=["# sent_id = a-1", "# text = The old dog chased a cat"],
)
CHANGED = SENTENCE.replace(heads=[3, 3, 4, 0, 6, 3], deprels=["det", "amod", "obj", "root", "det", "obj"])


def words(heads, label="r"):
    """A sentence whose words are `w1`, `w2`, … with labels `r1`, `r2`, …"""
    numbers = range(1, len(heads) + 1)
    return Sentence(forms=[f"w{n}" for n in numbers], heads=heads, deprels=[f"{label}{n}" for n in numbers])


def elements(text, name):
    return ElementTree.fromstring(text).findall(f".//{NAMESPACE}{name}")


def texts(picture):
    """The texts of a picture with the places of their middles."""
    return {element.text: (float(element.get("x")), float(element.get("y"))) for element in elements(picture, "text")}


def numbers(text):
    return [float(number) for number in re.findall(r"-?[\d.]+", text)]


def arcs(picture, size):
    """{dependent: head} as the paths show it: each ends in the middle of a word and begins beside its head's."""
    middles = {word: texts(picture)[f"w{word}"][0] for word in range(1, size + 1)}
    found = {}
    for path in elements(picture, "path"):
        start, end = path.get("d")[1:].split()[0], re.split("[HVQ]", path.get("d"))
        last = numbers(end[-2])[-2] if len(end) > 2 else float(start)
        (dependent,) = (word for word, x in middles.items() if abs(x - last) < 0.2)
        head = min(middles, key=lambda word: abs(middles[word] - float(start)))
        found[dependent] = 0 if len(end) == 2 else head
    return found


@given(trees(max_size=12))
def test_arcs_can_be_read_back(heads):
    picture = svg.draw(words(heads))
    assert len(elements(picture, "path")) == len(elements(picture, "polygon")) == len(heads)
    assert arcs(picture, len(heads)) == dict(enumerate(heads, 1))


@given(trees(max_size=12))
def test_labels_are_apart_on_their_arcs_and_within_the_picture(heads):
    picture = svg.draw(words(heads))
    root = ElementTree.fromstring(picture)
    width, height = numbers(root.get("viewBox"))[2:]
    paper, *boxes = [
        [float(box.get(key, 0)) for key in ("x", "y", "width", "height")] for box in elements(picture, "rect")
    ]
    assert paper == [0, 0, width, height]
    assert len(boxes) == len(heads)
    for x, y, wide, high in boxes:
        assert x >= 0 and x + wide <= width and y >= 0 and y + high <= height
    for a, b in combinations(boxes, 2):
        assert a[0] + a[2] <= b[0] or b[0] + b[2] <= a[0] or a[1] + a[3] <= b[1] or b[1] + b[3] <= a[1]
    tops = {label: y for label, (_, y) in texts(picture).items() if label.startswith("r")}
    spans = {f"r{d}": tuple(sorted((h, d))) for d, h in enumerate(heads, 1) if h}
    for inner, outer in combinations(sorted(spans, key=lambda label: spans[label][1] - spans[label][0]), 2):
        (a, b), (c, d) = spans[inner], spans[outer]
        if c <= a and b <= d:
            assert tops[outer] < tops[inner], "an arc around another one is above it"


@given(trees(max_size=5), st.data())
def test_any_text_gives_well_formed_xml(heads, data):
    forms, labels = (data.draw(st.lists(cell, min_size=len(heads), max_size=len(heads))) for _ in range(2))
    sentence = Sentence(forms=forms, heads=heads, deprels=labels, upos=labels)
    shown = [element.text for element in elements(svg.draw(sentence), "text")]
    assert len(shown) == len(heads) * 2 + len(heads) - labels.count("_")


@given(trees(max_size=8))
def test_long_labels_have_room_on_their_arcs(heads):
    picture = svg.draw(words(heads, "quite-a-long-label"))
    for path, (left, right) in zip(elements(picture, "path"), label_boxes(picture), strict=True):
        start, end = numbers(path.get("d"))[0], numbers(path.get("d"))[-3]
        assert "H" not in path.get("d") or min(start, end) < left < right < max(start, end)


def label_boxes(picture):
    """The left and right ends of the labels, in the order of the arcs."""
    boxes = [(float(box.get("x", 0)), float(box.get("width"))) for box in elements(picture, "rect")]
    return [(x, x + width) for x, width in boxes[1:]]


def test_labels_hide_no_crossing_line():
    labels = ["det", "nsubj:pass", "aux:pass", "root", "case", "det", "nmod", "obl:tmod"]
    forms = ["A", "hearing", "is", "scheduled", "on", "the", "issue", "today"]
    picture = svg.draw(Sentence(forms=forms, heads=[2, 4, 4, 0, 7, 7, 2, 4], deprels=labels))
    nmod, root = elements(picture, "path")[5], elements(picture, "path")[7]
    (left, right), (start, *_, end, _, _) = label_boxes(picture)[5], numbers(nmod.get("d"))
    line = numbers(root.get("d"))[0]
    assert abs((start + end) / 2 - line) < (right - left) / 2, "in the middle it would hide the root's line"
    assert line < left < right < end


def test_the_picture_stands_alone():
    for text in (svg.draw(SENTENCE, CHANGED), html.draw([SENTENCE], [CHANGED])):
        assert set(re.findall(r"\w+://[^\s\"'<>]*", text)) == {"http://www.w3.org/2000/svg"}
        assert not re.search(r"<(script|link|img|image|iframe|object)|href|url\(|@import|@font-face", text)


def test_the_title_is_the_text():
    assert [title.text for title in elements(svg.draw(SENTENCE), "title")] == ["The old dog chased a cat"]


def test_markup_in_words_is_text():
    forms = ["<b>", "&amp;", '"q"', "\x1b[0m"]
    picture = svg.draw(Sentence(forms=forms, heads=[0, 1, 1, 1], deprels=["<i>"] * 4))
    assert {"<b>", "&amp;", '"q"', "\ufffd[0m", "<i>"} == set(texts(picture))


def test_arcs_that_are_not_projective_are_dashed():
    crossing = svg.draw(words([2, 0, 5, 2, 1]))
    dashed = [path.get("stroke-dasharray") is not None for path in elements(crossing, "path")]
    assert dashed == [False, True, False, True, False]
    assert svg.COLOURS["other"] in crossing and svg.COLOURS["other"] not in svg.draw(SENTENCE)


def test_right_to_left_sentences_begin_on_the_right():
    forms = ["הילדה", "קראה", "ספר"]
    picture = svg.draw(Sentence(forms=forms, heads=[2, 0, 2], deprels=["nsubj", "root", "obj"]))
    places = texts(picture)
    assert [places[form][0] for form in forms] == sorted((places[form][0] for form in forms), reverse=True)
    directions = {element.text: element.get("direction") for element in elements(picture, "text")}
    assert [directions[text] for text in (*forms, "nsubj")] == ["rtl", "rtl", "rtl", None]


def test_wide_words_take_more_room():
    narrow, wide = (
        texts(svg.draw(Sentence(forms=[form, "x"], heads=[0, 1], deprels=["a", "b"])))["x"][0]
        for form in ("iiiiii", "北京大学出版社")
    )
    assert wide > narrow + 20


def test_multiword_tokens_and_empty_nodes_are_shown():
    picture = svg.draw(
        Sentence(
            forms=["de", "el", "mar"],
            heads=[3, 3, 0],
            deprels=["case", "det", "root"],
            multiwords=[Multiword(1, 2, "del")],
            empty_nodes=[EmptyNode(3, 1, "ya", deps="3:advmod")],
        )
    )
    places = texts(picture)
    (bracket,) = elements(picture, "polyline")
    ends = numbers(bracket.get("points"))[::2]
    assert min(ends) < places["de"][0] < places["del"][0] < places["el"][0] < max(ends) < places["mar"][0]
    assert "empty node 3.1 ya 3:advmod" in places


def test_notes_run_from_left_to_right():
    (*_, note) = elements(svg.draw(Sentence(forms=["a"], empty_nodes=[EmptyNode(1, 1, "ספר")])), "text")
    assert note.text == "empty node 1.1 ספר" and note.get("direction") is None


def test_a_multiword_token_may_have_one_word():
    assert "A" in texts(svg.draw(Sentence(forms=["a", "b"], heads=[0, 1], multiwords=[Multiword(1, 1, "A")])))


def test_a_second_tree_is_below_where_it_differs():
    picture = svg.draw(SENTENCE, CHANGED)
    line = texts(picture)["dog"][1]
    below = [path for path in elements(picture, "path") if numbers(path.get("d"))[1] > line]
    assert len(elements(picture, "path")) == 8 and len(below) == 2
    assert {path.get("stroke") for path in below} == {svg.COLOURS["bad"]}
    colours = {element.text: element.get("fill") for element in elements(picture, "text")}
    assert [word for word in SENTENCE.forms if colours[word] == svg.COLOURS["bad"]] == ["dog", "cat"]
    assert "✗ 2 of 6 words differ in head or label, the second tree is below" in colours


def test_words_without_heads_are_shown_with_a_note():
    picture = svg.draw(Sentence(forms=["no", "tree"]))
    assert list(texts(picture)) == ["no", "tree", "no tree: these words have no heads"]
    assert not elements(picture, "path")


def test_other_words_are_an_error():
    with pytest.raises(HeadwayError, match="word 1 is 'The' in one, 'w1' in the other"):
        svg.draw(SENTENCE, words([0]))


def test_a_page_holds_all_sentences():
    hostile = Sentence(forms=["<script>"], heads=[0], deprels=["root"], comments=["# sent_id = <x>"])
    page = html.draw([SENTENCE, hostile], title="R&D")
    seen = Tags(page).seen
    assert seen.count("svg") == 2 and seen.count("style") == 1 and "script" not in seen
    assert "<title>R&amp;D</title>" in page and "<h2>a-1</h2>" in page and "<h2>&lt;x&gt;</h2>" in page


def test_a_page_puts_its_own_colours_in_place_of_the_pictures():
    page = html.draw([SENTENCE])
    used = set(re.findall(r' (?:fill|stroke)="(#\w+)"', page))
    assert used
    for colour in used:
        assert re.search(rf'svg \[fill="{colour}"\] {{ fill: var\(--\w+\); }}', page)
    for name in svg.COLOURS:
        assert f"--{name}: " in page, "the page has a colour of this name"


def test_a_sentence_too_long_for_a_picture_is_refused_and_a_list_on_a_page():
    long = words([0, *[1] * 1000])
    with pytest.raises(
        HeadwayError, match=r"a picture of 1,001 words would be too large; take a sentence of up to 1,000"
    ):
        svg.draw(long)
    page = html.draw([SENTENCE, long])
    assert page.count("<svg") == 1 and "1001 w1001" in page
