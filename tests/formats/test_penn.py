from itertools import chain, islice, pairwise, repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_headrules import RULES, brute_head

import headway
from headway.base.errors import FormatError, ReadingReport
from headway.data.formats import penn
from headway.data.formats.headrules import Node, read_rules

HERON = """( (S (NP-SBJ (DT The) (NN heron))
     (VP (VBZ waits)
         (PP-LOC (IN in)
                 (NP (DT the) (NNS reeds))))
     (. .)) )
"""
OTTER = "(TOP (S (NP-SBJ (NNS Otters)) (VP (VBP play))))\n"


def converted(text, rules="english", on_error="stop", size=1 << 20):
    """Sentences as lists of (form, tag, head, label), and the report."""
    data = text if isinstance(text, bytes) else text.encode()
    report = ReadingReport("trees.mrg", on_error)
    chunks = [data[at : at + size] for at in range(0, len(data), size)]
    return [
        list(zip(sentence.forms, sentence.xpos, sentence.heads.tolist(), sentence.deprels, strict=True))
        for batch in penn.batches(chunks, read_rules(rules), report)
        for sentence in (headway.Sentence.view(batch, index) for index in range(len(batch)))
    ], report


def shown(text, rules="english"):
    """One line for each sentence: `form/head/label`."""
    sentences, _ = converted(text, rules)
    return [" ".join(f"{form}/{head}/{label}" for form, _, head, label in words) for words in sentences]


@pytest.mark.parametrize(
    ("tree", "dependencies"),
    [
        (HERON, "The/2/NMOD heron/3/SUB waits/0/ROOT in/3/VMOD the/6/NMOD reeds/4/PMOD ./3/P"),
        (
            "(S (NP-SBJ (PRP They)) (VP (MD may) (RB not) (VP (VB have) (VP (VBN seen) (NP (PRP us))))))",
            "They/2/SUB may/0/ROOT not/2/VMOD have/2/VC seen/4/VC us/5/OBJ",
        ),
        (
            "(S (NP-SBJ-1 (PRP She)) (VP (VBZ wants) (S (NP-SBJ (-NONE- *-1)) (VP (TO to) (VP (VB dive))))))",
            "She/2/SUB wants/0/ROOT to/4/VMOD dive/2/VMOD",
        ),
        (
            "(S (NP-SBJ (PRP He)) (VP (VBZ says) (SBAR (IN that) (S (NP-SBJ (NN rain)) (VP (VBZ helps))))))",
            "He/2/SUB says/0/ROOT that/2/VMOD rain/5/SUB helps/3/SBAR",
        ),
        (
            "(S (NP-SBJ (PRP He)) (VP (VBZ says) (SBAR (-NONE- 0) (S (NP-SBJ (NN rain)) (VP (VBZ helps))))))",
            "He/2/SUB says/0/ROOT rain/4/SUB helps/2/VMOD",
        ),
        (
            "(S (NP-SBJ (NN Rain)) (VP (VBZ is) (ADJP-PRD (RB very) (JJ welcome)) (NP-TMP (NN today))))",
            "Rain/2/SUB is/0/ROOT very/4/AMOD welcome/2/PRD today/2/VMOD",
        ),
        (
            "(NP (NP (NN mud)) (PRN (-LRB- -LRB-) (NP (NNS reeds)) (-RRB- -RRB-)) (CC and) (NP (NN rain)))",
            "mud/6/NMOD -LRB-/3/P reeds/6/NMOD -RRB-/3/P and/6/NMOD rain/0/ROOT",
        ),
        (
            "(VP (VP (VB swim)) (, ,) (VP (VB dive)) (CC and) (VP (VB eat)))",
            "swim/0/ROOT ,/1/P dive/1/VMOD and/1/VMOD eat/1/VMOD",
        ),
        (
            "(SBARQ (WHNP-1 (WP What)) (SQ (VBZ does) (NP-SBJ (PRP it)) (VP (VB eat) (NP (-NONE- *))))(. ?))",
            "What/2/VMOD does/0/ROOT it/2/SUB eat/2/VMOD ?/2/P",
        ),
        (
            "(NP (QP ($ $) (CD 2) (CD million)) (-NONE- *U*) (PP (IN of) (NP (NNS fish))))",
            "$/0/ROOT 2/1/AMOD million/1/AMOD of/1/NMOD fish/4/PMOD",
        ),
        ("(FRAG (NP (NN Rain)) (: --) (ADVP (RB again)))", "Rain/0/ROOT --/1/P again/1/DEP"),
        ("(NN rain)", "rain/0/ROOT"),
        (
            "( (S (NP-SBJ (NN A)) (VP (VB b))) (S (NP-SBJ (NN C)) (VP (VB d))) )",
            "A/2/SUB b/4/DEP C/4/SUB d/0/ROOT",
        ),
    ],
)
def test_english_trees_worked_out_by_hand(tree, dependencies):
    assert shown(tree) == [dependencies]


def test_a_chinese_tree_worked_out_by_hand():
    tree = (
        "(IP (NP-SBJ (DNP (NP (NR 东湖)) (DEG 的)) (NP (NN 水鸟))) (VP (ADVP (AD 常)) (VP (VV 能) (VP (VV 捕)"
        " (AS 到) (NP-OBJ (CP (WHNP-1 (-NONE- *OP*)) (CP (IP (NP-SBJ (-NONE- *T*-1)) (VP (VA 小))) (DEC 的)))"
        " (NP (NN 鱼)))))) (PU 。))"
    )
    [sentence] = shown(tree, "chinese")
    assert sentence.split() == [
        *("东湖/2/PMOD", "的/3/NMOD", "水鸟/5/SUB", "常/5/VMOD", "能/0/ROOT", "捕/5/VC", "到/6/VMOD"),
        *("小/9/SBAR", "的/10/NMOD", "鱼/6/OBJ", "。/5/P"),
    ]


def test_forms_and_tags_are_kept_as_they_are():
    [words], _ = converted(r"(NP (CD 1\/2) (NN|JJ a-1) (NN-SHORT *) (-LRB- -LRB-) (PRP$ x=2))")
    assert [word[:2] for word in words] == [
        ("1\\/2", "CD"), ("a-1", "NN|JJ"), ("*", "NN-SHORT"), ("-LRB-", "-LRB-"), ("x=2", "PRP$"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        HERON + OTTER,
        HERON + "\n\n" + OTTER,
        HERON.replace("\n", " ") + OTTER,
        HERON.replace("\n     ", "\n") + OTTER,
        (HERON + OTTER).replace("\n", "\r\n"),
        (HERON + OTTER).replace("(", "( ").replace(")", " )"),
        (HERON + OTTER).replace(" ", "\n"),
        (HERON + OTTER).rstrip(),
        "<DOC>\n<S ID=1>\n" + HERON + "</S>\n<S ID=(2>\n" + OTTER + "</S>\n</DOC>\n",
        "*x*x*x*\n*x* Copyright (C *x*\n" + HERON + OTTER,
    ],
)
@pytest.mark.parametrize("size", [1, 7, 1 << 20])
def test_layout_does_not_matter(text, size):
    assert converted(text, size=size)[0] == converted(HERON + OTTER)[0]


def test_markup_between_trees_is_said_once():
    _, report = converted(f"<S ID=1>\n{HERON}</S>\n<S ID=2>\n{OTTER}</S>\n")
    assert report.notes == ["lines of markup between trees (<…> or *x*) were left out"]
    assert converted(HERON + OTTER)[1].notes == []


def test_a_byte_order_mark_is_left_out():
    sentences, report = converted("\ufeff" + HERON + OTTER)
    assert sentences == converted(HERON + OTTER)[0]
    assert report.notes == ["a byte-order mark at the start was left out"]


def test_sentences_know_the_line_where_their_tree_begins(tmp_path):
    path = tmp_path / "trees.mrg"
    path.write_text("\n" + HERON + "\n" + OTTER + OTTER.strip() + " " + OTTER * 300)
    sentences = list(headway.read(path))
    assert [sentence.line for sentence in sentences[:6]] == [2, 8, 9, 9, 10, 11]
    assert sentences[-1].place == f"{path}:308"


def test_trees_may_be_ten_thousand_constituents_deep():
    deep = "(S (NN a) " * 10_000 + "(NN b)" + ")" * 10_000
    [words], _ = converted(deep)
    assert [word[2] for word in words] == [10_001] * 10_000 + [0]


@pytest.mark.parametrize("text", [HERON, OTTER.strip() + " "])
def test_reading_needs_no_more_than_the_trees_at_hand(text):
    endless = penn.batches(repeat(text.encode() * 100), read_rules("english"), ReadingReport("endless"))
    assert sum(len(batch) for batch in islice(endless, 100)) == 100 * penn.TREES_IN_BATCH


BAD = {
    "(NP (DT the) dog)": "6: the token 'dog' has no tag; write words as (TAG word)",
    "(NP the (NN dog))": "6: the token 'the' has no tag; write words as (TAG word)",
    "(NP\n  (NN two words))": "7: the token 'words' has no tag; write words as (TAG word)",
    "(S (NP) (VP (VB go)))": "6: nothing stands in the brackets '(NP)'; write words as (TAG word), and leave",
    "()": "6: nothing stands in the brackets '()'; write words",
    "\n( (S (NP (-NONE- *))) )": "7: the tree that begins here has no words, only empty elements; remove",
    "some text": "6: text outside of brackets: 'some'; put every tree into brackets",
    "(NP (NN dog)))": "6: a ')' closes nothing; remove it, or add the missing '(' before it",
    ")(": "6: a ')' closes nothing; remove it",
    "(S (NP (NN dog))": "6: of the tree that begins here, 1 bracket is still open where the next",
    "( (S (NP\n (NN dog))": "6: of the tree that begins here, 2 brackets are still open where the",
    "(NN caf\udce9)": "6: the byte '\\xe9' is not UTF-8 in the tree that begins here; convert the",
    "(NN a\0b)": "6: a NUL byte in the tree that begins here; remove it, or convert the file",
}


@pytest.mark.parametrize("bad", BAD)
def test_what_cannot_be_read_is_an_error_with_place_and_remedy(bad):
    with pytest.raises(FormatError) as caught:
        converted((HERON + bad + "\n" + OTTER).encode(errors="surrogateescape"))
    assert str(caught.value).startswith(f"trees.mrg:{BAD[bad]}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("size", [5, 1 << 20])
def test_skipping_leaves_out_just_the_bad_tree(bad, size):
    text = (HERON + bad + "\n" + OTTER).encode(errors="surrogateescape")
    sentences, report = converted(text, on_error="skip", size=size)
    assert sentences == converted(HERON + OTTER)[0]
    assert report.skipped == 1


def test_a_file_cut_off_says_where_its_last_tree_begins():
    begun = HERON.partition("(PP")[0]
    with pytest.raises(FormatError) as caught:
        converted(OTTER + begun)
    assert str(caught.value) == (
        "trees.mrg:2: of the tree that begins here, 3 brackets are still open at the end of the file, "
        "which may be cut off; add the missing ')'"
    )
    assert converted(OTTER + begun, on_error="skip")[0] == converted(OTTER)[0]


def test_an_unclosed_tree_among_lines_of_one_tree_each_costs_only_itself():
    plain = "(S (NN a) (VB b))\n"
    sentences, report = converted(plain * 2 + "(S (NN a) (VB b)\n" + plain * 3, on_error="skip")
    assert (len(sentences), report.skipped) == (5, 1)


def test_pieces_of_an_unclosed_tree_are_not_taken_for_trees():
    flush = "(S\n(NP (NN a))\n(VP (VB b)))\n"
    sentences, report = converted(flush * 2 + "(S\n(NP (NN a))\n(VP (VB b))\n", on_error="skip")
    assert (len(sentences), report.skipped) == (2, 1)


def test_a_tree_that_does_not_end_is_given_up():
    endless = chain([b"(S (NN a)\n"], repeat(b" (NN b)\n" * 10_000))
    with pytest.raises(
        FormatError, match=r"^x:1: of the tree that begins here, 1 bracket is still open after 1\d\d\d KiB;"
    ):
        list(penn.batches(endless, read_rules("english"), ReadingReport("x")))


def test_a_file_without_trees_is_refused():
    with pytest.raises(FormatError, match=r"^trees.mrg: there is no tree in this file; give trees in brackets$"):
        converted("<DOC>\n</DOC>\n")


def words_of(tree):
    return [tree] if isinstance(tree[1], str) else [word for child in tree[1] for word in words_of(child)]


def bracketed(tree):
    label, rest = tree
    return f"({label} {rest if isinstance(rest, str) else ' '.join(map(bracketed, rest))})"


def pruned(tree):
    """The tree without empty elements, or None."""
    if isinstance(tree[1], str):
        return [*tree] if tree[0] != "-NONE-" else None
    children = [child for child in map(pruned, tree[1]) if child]
    return [tree[0], children] if children else None


def node(tree):
    return Node.of(tree[0], isinstance(tree[1], str))


def lexical_head(name, tree):
    while not isinstance(tree[1], str):
        tree = tree[1][brute_head(name, node(tree).category, [node(child) for child in tree[1]])]
    return tree


def brute_dependencies(name, tree):
    """A word depends on the head of the smallest constituent around it that it does not head itself."""
    words = words_of(tree)
    found = []
    for word in words:
        around = [tree]
        while around[-1] is not word:
            around.append(next(c for c in around[-1][1] if any(w is word for w in words_of(c))))
        pairs = list(pairwise(around))
        mother, dependent = next((p for p in reversed(pairs) if lexical_head(name, p[0]) is not word), (None, None))
        if mother is None:
            found.append((0, "ROOT"))
            continue
        head = lexical_head(name, mother)
        head_child = next(child for child in mother[1] if lexical_head(name, child) is head)
        label = RULES[name].label(node(mother), node(head_child), node(dependent))
        found.append((1 + next(at for at, other in enumerate(words) if other is head), label))
    return found


def is_projective(heads):
    arcs = [(min(word, head), max(word, head)) for word, head in enumerate(heads, 1)]
    return not any(a < c < b < d for a, b in arcs for c, d in arcs)


TAGS = {
    "english": (
        "NN",
        "DT",
        "JJ",
        "VB",
        "VBD",
        "MD",
        "TO",
        "IN",
        "CC",
        "CD",
        "$",
        ",",
        "-LRB-",
        "POS",
        "-NONE-",
    ),
    "chinese": ("NN", "NR", "NT", "VV", "VA", "VC", "AD", "P", "DEC", "DEG", "LC", "M", "CD", "PU", "-NONE-"),
}
PHRASES = {
    "english": (
        "S",
        "VP",
        "NP",
        "NP-SBJ-1",
        "NP-TMP",
        "NP=2",
        "PP",
        "ADJP-PRD",
        "QP",
        "SBAR",
        "PRN",
        "FRAG",
        "ODD",
    ),
    "chinese": (
        "IP",
        "VP",
        "NP",
        "NP-SBJ",
        "NP-OBJ",
        "CP",
        "DNP",
        "LCP",
        "PP",
        "QP",
        "DP",
        "VRD",
        "UCP",
        "ODD",
    ),
}


def random_trees(name):
    word = st.tuples(st.sampled_from(TAGS[name]), st.text("aé鱼-*/=", min_size=1, max_size=3))
    return st.recursive(
        word,
        lambda children: st.tuples(st.sampled_from(PHRASES[name]), st.lists(children, min_size=1, max_size=4)),
        max_leaves=12,
    ).filter(pruned)


@pytest.mark.parametrize("name", TAGS)
@given(data=st.data())
def test_random_trees_become_the_dependencies_of_the_definition(name, data):
    trees = data.draw(st.lists(random_trees(name), min_size=1, max_size=3))
    sentences, _ = converted("\n".join(map(bracketed, trees)), name)
    for tree, sentence in zip(map(pruned, trees), sentences, strict=True):
        assert [word[:2] for word in sentence] == [(form, tag) for tag, form in words_of(tree)]
        assert [word[2:] for word in sentence] == brute_dependencies(name, tree)
        heads = [word[2] for word in sentence]
        assert heads.count(0) == 1 and is_projective(heads)


def test_the_command_converts_brackets(run, shell, tmp_path):
    path, out = tmp_path / "trees.mrg", tmp_path / "out.conllx"
    path.write_text(HERON + OTTER)
    assert run("convert", path, "-o", out).exit_code == 0
    assert out.read_text().splitlines()[1] == "2\theron\t_\tNN\tNN\t_\t3\tSUB\t_\t_"
    piped = shell("convert", "--from", "penn", "-", stdin=path.read_bytes())
    assert piped.stdout == out.read_bytes() and piped.stderr == b""


def test_the_command_takes_rules_of_the_users_own(run, tmp_path):
    path, rules = tmp_path / "trees.mrg", tmp_path / "left.rules"
    path.write_text(OTTER)
    rules.write_text("* l\nlabel DEPENDS * * *\n")
    assert "2\tplay\t_\tVBP\tVBP\t_\t1\tDEPENDS" in run("convert", path, "--rules", rules).stdout
    rules.write_text("* up\n")
    result = run("convert", path, "--rules", rules)
    assert result.exit_code == 2 and f"{rules}:1: column 3: the direction 'up' is neither l nor r" in result.stderr
    assert "known are: chinese, english" in run("convert", path, "--rules", "latin").stderr
