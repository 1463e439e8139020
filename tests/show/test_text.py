"""Pictures of trees as text, as a reader sees them."""

import tracemalloc
from time import perf_counter

import pytest
from drawings import body, words
from rich.cells import cell_len

from headway import EmptyNode, HeadwayError, Multiword, Sentence
from headway.show.canvas import END_ISOLATE, ISOLATE
from headway.show.text import draw, picture

ENGLISH = Sentence(
    forms=["The", "old", "dog", "chased", "a", "cat", "."],
    upos=["DET", "ADJ", "NOUN", "VERB", "DET", "NOUN", "PUNCT"],
    heads=[3, 3, 4, 0, 6, 4, 4],
    deprels=["det", "amod", "nsubj", "root", "det", "obj", "punct"],
    comments=["# sent_id = a-1", "# text = The old dog chased a cat."],
)
CHANGED = ENGLISH.replace(heads=[3, 3, 4, 0, 6, 3, 4], deprels=["det", "amod", "obj", "root", "det", "obj", "punct"])
CROSSING = Sentence(
    forms=["A", "hearing", "is", "scheduled", "on", "the", "issue", "today"],
    heads=[2, 4, 4, 0, 7, 7, 2, 4],
    deprels=["det", "nsubj", "aux", "root", "case", "det", "nmod", "obl"],
)
CHINESE = Sentence(
    forms=["我", "爱", "北京"],
    heads=[2, 0, 2],
    deprels=["nsubj", "root", "obj"],
    upos=["PRON", "VERB", "PROPN"],
)
HEBREW = Sentence(
    forms=["הילדה", "קראה", "ב", "בית"],
    heads=[2, 0, 4, 2],
    deprels=["nsubj", "root", "case", "obl"],
    upos=["NOUN", "VERB", "ADP", "NOUN"],
    multiwords=[Multiword(3, 4, "בבית")],
)
SPANISH = Sentence(
    forms=["Vámonos", "a", "el", "mar"],
    heads=[0, 4, 4, 1],
    deprels=["root", "case", "det", "obl"],
    upos=["VERB", "ADP", "DET", "NOUN"],
    multiwords=[Multiword(2, 3, "al")],
    empty_nodes=[EmptyNode(4, 1, "ya", "ya", "ADV", deps="1:advmod")],
)


def drawn(text):
    """A picture as a test writes it, from the bar on; isolates stand there as ⟨ and ⟩."""
    lines = [line.partition("|")[2].rstrip() for line in text.split("\n") if "|" in line]
    return [line.replace("⟨", ISOLATE).replace("⟩", END_ISOLATE) for line in lines]


PICTURES = {
    "above the words": (
        (ENGLISH,),
        """
        |                      root
        |                        │ ╭──────punct──────╮
        | ╭───det────╮           │ ├────obj────╮     │
        | │   ╭─amod─┤ ╭─nsubj─╮ │ │   ╭─det─╮ │     │
        | ▼   ▼      │ ▼       │ ▼ │   ▼     │ ▼     ▼
        |The old      dog     chased   a      cat    .
        |DET ADJ     NOUN      VERB   DET    NOUN  PUNCT
        """,
    ),
    "beside the words": (
        (ENGLISH, "down"),
        """
        |    ╭►─ 1 The    DET   det
        |    ├►─ 2 old    ADJ   amod
        |  ╭►┴── 3 dog    NOUN  nsubj
        |●─┼──── 4 chased VERB  root
        |  │ ╭►─ 5 a      DET   det
        |  ├►┴── 6 cat    NOUN  obj
        |  ╰►─── 7 .      PUNCT punct
        """,
    ),
    "crossing above": (
        (CROSSING,),
        """
        |                         root
        |           ╭╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌│╌nmod╌╌╌╌╌╌╌╌╌╌╌╌╌╮
        |           ╎               │ ╭─────────obl────╎─────╮
        |         ╭─╎───nsubj─────╮ │ │    ╭──case───╮ ╎     │
        | ╭─det─╮ │ ╎   ╭───aux───┤ │ │    │   ╭─det─┤ ╎     │
        | ▼     │ ▼ ╎   ▼         │ ▼ │    ▼   ▼     │ ▽     ▼
        | A    hearing is       scheduled on  the    issue today
        """,
    ),
    "crossing beside": (
        (CROSSING, "down"),
        """
        |    ╭►─── 1 A         det
        |  ╭►┼──── 2 hearing   nsubj
        |  ├►│──── 3 is        aux
        |●─┼─│──── 4 scheduled root
        |  │ │ ╭►─ 5 on        case
        |  │ │ ├►─ 6 the       det
        |  │ ╰▻┴── 7 issue     nmod
        |  ╰►───── 8 today     obl
        """,
    ),
    "a head between its dependent and that one's own": (
        (words([3, 0, 2]),),
        """
        |    r2
        | ╭╌╌╌│╌r1╌╌╌╌╌╌╮
        | ╎   │╭───r3───╎╮
        | ▽   ▼│        ╎▼
        |w1  w2         w3
        """,
    ),
    "one word": (
        (words([0]),),
        """
        |r1
        | ▼
        |w1
        """,
    ),
    "several roots": (
        (words([0, 0, 1]), "down"),
        """
        |●─┬── 1 w1 r1
        |●─│── 2 w2 r2
        |  ╰▻╌ 3 w3 r3
        """,
    ),
    "dependents on both sides": (
        (words([2, 4, 2, 0, 4, 5, 4]), "down"),
        """
        |    ╭►─ 1 w1 r1
        |  ╭►┼── 2 w2 r2
        |  │ ╰►─ 3 w3 r3
        |●─┼──── 4 w4 r4
        |  ├►┬── 5 w5 r5
        |  │ ╰►─ 6 w6 r6
        |  ╰►─── 7 w7 r7
        """,
    ),
    "wide characters above": (
        (CHINESE,),
        """
        |          root
        |  ╭─nsubj─╮ │ ╭─obj─╮
        |  ▼       │ ▼ │     ▼
        | 我        爱     北京
        |PRON      VERB    PROPN
        """,
    ),
    "wide characters beside": (
        (CHINESE, "down"),
        """
        |  ╭►─ 1 我   PRON  nsubj
        |●─┼── 2 爱   VERB  root
        |  ╰►─ 3 北京 PROPN obj
        """,
    ),
    "right to left above": (
        (HEBREW,),
        """
        |              root
        |  ╭────obl────╮ │
        |  │ ╭─case─╮  │ │ ╭─nsubj─╮
        |  ▼ │      ▼  │ ▼ │       ▼
        | ⟨בית⟩       ⟨ב⟩  ⟨קראה⟩      ⟨הילדה⟩
        |NOUN      ADP VERB      NOUN
        |╰───⟨בבית⟩────╯
        """,
    ),
    "right to left beside": (
        (HEBREW, "down"),
        """
        |  ╭►─── 1 ⟨הילדה⟩        NOUN nsubj
        |●─┼──── 2 ⟨קראה⟩         VERB root
        |  │ ╭►─ 3 ⟨ב⟩     ╮ ⟨בבית⟩ ADP  case
        |  ╰►┴── 4 ⟨בית⟩   ╯      NOUN obl
        """,
    ),
    "multiword tokens and empty nodes above": (
        (SPANISH,),
        """
        | root
        |   │ ╭──────obl──────╮
        |   │ │   ╭──case───╮ │
        |   │ │   │   ╭─det─┤ │
        |   ▼ │   ▼   ▼     │ ▼
        |Vámonos  a  el      mar
        | VERB   ADP DET    NOUN
        |        ╰─al──╯
        |
        |empty node 4.1 ya ADV 1:advmod
        """,
    ),
    "multiword tokens and empty nodes beside": (
        (SPANISH, "down"),
        """
        |●─┬──── 1 Vámonos      VERB root
        |  │ ╭►─ 2 a       ╮ al ADP  case
        |  │ ├►─ 3 el      ╯    DET  det
        |  ╰►┴── 4 mar          NOUN obl
        |
        |empty node 4.1 ya ADV 1:advmod
        """,
    ),
    "no tree": (
        (Sentence(forms=["no", "tree"]),),
        """
        |1 no
        |2 tree
        |
        |no tree: these words have no heads
        """,
    ),
    "a second tree below": (
        (ENGLISH, "across", CHANGED),
        """
        |                              root
        |                                │ ╭──────punct──────╮
        | ╭───det────╮                   │ ├───✗ obj───╮     │
        | │   ╭─amod─┤ ╭────✗ nsubj────╮ │ │   ╭─det─╮ │     │
        | ▼   ▼      │ ▼               │ ▼ │   ▼     │ ▼     ▼
        |The old     ✗ dog            chased   a     ✗ cat   .
        |DET ADJ     NOUN              VERB   DET    NOUN  PUNCT
        |              ▲ ╎             │               △
        |              ╰─╎───✗ obj─────╯               ╎
        |                ╰╌╌╌╌╌╌╌╌╌╌╌╌✗ obj╌╌╌╌╌╌╌╌╌╌╌╌╯
        |
        |✗ 2 of 7 words differ in head or label, the second tree is below
        """,
    ),
    "a second tree on the right": (
        (ENGLISH, "down", CHANGED),
        """
        |    ╭►─   1 The    DET   det
        |    ├►─   2 old    ADJ   amod
        |  ╭►┴── ✗ 3 dog    NOUN  nsubj ✗ obj ──╮
        |●─┼────   4 chased VERB  root          │
        |  │ ╭►─   5 a      DET   det           │
        |  ├►┴── ✗ 6 cat    NOUN  obj   ✗ obj ╌◅╯
        |  ╰►───   7 .      PUNCT punct
        |
        |✗ 2 of 7 words differ in head or label, the second tree is on the right
        """,
    ),
}


@pytest.mark.parametrize("name", PICTURES)
def test_pictures(name):
    arguments, expected = PICTURES[name]
    sentence, layout, other = (*arguments, *("across", None)[len(arguments) - 1 :])
    assert body(sentence, other, layout=layout) == drawn(expected)


def test_the_heading_has_identifier_and_text():
    assert draw(ENGLISH).split("\n")[:3] == ["a-1", "The old dog chased a cat.", ""]
    assert draw(HEBREW).split("\n")[:2] == [f"{ISOLATE}הילדה קראה בבית{END_ISOLATE}", ""]
    assert picture(ENGLISH, caption="sentence 1").plain.startswith("sentence 1, a-1\n")


def test_equal_trees_are_said_to_be_equal():
    assert body(ENGLISH, ENGLISH)[:-2] == body(ENGLISH)
    assert body(ENGLISH, ENGLISH)[-1] == "the two trees are the same"


def test_arcs_are_above_where_they_fit_and_beside_elsewhere():
    widest = max(map(cell_len, body(ENGLISH, layout="across")))
    assert body(ENGLISH, width=widest) == body(ENGLISH, layout="across")
    assert body(ENGLISH, width=widest - 1) == body(ENGLISH, layout="down")


def test_long_words_are_cut_in_narrow_terminals():
    sentence = words([2, 0], ["Donaudampfschifffahrtsgesellschaft", "北京大学出版社北京大学出版社"])
    expected = drawn(
        """
        |  ╭►─ 1 Donaudampfsc… r1
        |●─┴── 2 北京大学出版… r2
        """
    )
    assert body(sentence, width=24) == expected
    assert body(sentence, sentence, width=24)[:2] == expected
    assert body(sentence, width=5) == drawn(
        """
        |  ╭►─ 1 Donau… r1
        |●─┴── 2 北京…  r2
        """
    )


def test_multiword_tokens_may_be_short():
    single = Sentence(forms=["a", "b"], multiwords=[Multiword(1, 1, "A")])
    assert body(single)[:2] == ["1 a ╮ A", "2 b"]
    assert "╰A╯" in draw(single.replace(heads=[0, 1]))


def test_what_a_terminal_would_act_upon_is_not_printed():
    text = draw(words([0, 1], ["\x1b[31mred", "\u202eturned"], ["a\x07b", "c"]))
    assert "\ufffd[31mred" in text and "\ufffdturned" in text and "a\ufffdb" in text
    assert not {"\x1b", "\u202e", "\x07"} & set(text)


def test_colours_are_styles_and_not_text():
    assert "red" in {span.style for span in picture(ENGLISH, CHANGED).spans}
    assert "red" not in {span.style for span in picture(ENGLISH).spans}


def test_other_words_are_an_error():
    other = words([2, 0], ["The", "new"])
    with pytest.raises(HeadwayError, match=r"word 2 is 'old' in one, 'new' in the other; compare"):
        draw(ENGLISH, other)
    with pytest.raises(HeadwayError, match=r"7 words in one, 1 in the other"):
        draw(ENGLISH, words([0], ["The"]))


def test_comparing_needs_two_trees():
    with pytest.raises(HeadwayError, match="no heads"):
        draw(ENGLISH, Sentence(forms=ENGLISH.forms))


def test_an_unknown_layout_lists_the_known_ones():
    with pytest.raises(HeadwayError, match="unknown layout 'up'; known are: across, auto, down"):
        draw(ENGLISH, layout="up")


def test_what_has_too_many_arcs_is_shown_with_numbers():
    """A chain of words is as deep as it is long: its lines would fill a square of cells."""
    chain = words([*range(2, 901), 0], [f"w{n}" for n in range(1, 901)])
    tracemalloc.start()
    lines = draw(chain).split("\n")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100 << 20
    assert lines[2:4] == ["  1 w1     2 → r1", "  2 w2     3 → r2"]
    assert lines[-1] == "the arcs would take too much room; the numbers are those of the heads"


@pytest.mark.parametrize("layout", ["auto", "across", "down"])
def test_the_longest_sentences_are_shown_with_numbers(layout):
    flat = words([0, *[1] * 5_999], ["x"] * 6_000)
    other = flat.replace(heads=[0, *[1] * 5_998, 2])
    begin = perf_counter()
    lines = draw(flat, other, layout=layout).split("\n")
    assert perf_counter() - begin < 10
    assert len(lines) > 6_000 and "✗ 6000 x    1 → r6000    2 → ✗ r6000" in lines
