import re
from collections import Counter
from itertools import islice

import pytest

from headway.data.formats.penn import dependencies
from headway.data.sample import Sample
from headway.data.sample.brackets import bracketed
from headway.data.sample.writing import numbered
from headway.data.trees import is_projective

LEAF = re.compile(r"\((\S+) ([^()\s]+)\)")
SPELLED = {"-LRB-": "(", "-RRB-": ")", "``": '"', "''": '"'}
SAME_HEADS = ("appos", "compound", "compound:prt", "det:predet", "fixed", "nummod", "obl:tmod", "xcomp")
"""Relations whose heads the rules of Yamada and Matsumoto find, too, whatever stands around them."""
TURNED_ROUND = ("aux", "aux:pass", "case", "cop")
"""Relations whose dependents are heads by these rules."""


@pytest.fixture(scope="module")
def derived():
    sample = Sample(seed=5, nonprojective=0.2, empty_nodes=0.05)
    return list(islice(sample._derivations(), 1500))


def trees_of(derived):
    for nodes in derived:
        yield nodes, bracketed(nodes, numbered(nodes))


def test_leaves_are_the_words_with_their_tags(derived):
    for nodes, tree in trees_of(derived):
        leaves = [leaf for leaf in LEAF.findall(tree) if leaf[0] != "-NONE-"]
        words = [word.cells.split("\t") for word in numbered(nodes)[:-2]]
        assert [SPELLED.get(form, form) for _, form in leaves] == [cells[0] for cells in words]
        for node, (tag, _), cells in zip(nodes, leaves, words, strict=True):
            assert tag == ("RP" if node.relation == "compound:prt" else cells[3])
        assert tree.count("(") == tree.count(")")


def test_every_trace_has_what_it_stands_for(derived):
    crossing = 0
    for nodes, tree in trees_of(derived):
        traces = Counter(re.findall(r"\(-NONE- \*(?:T|ICH)\*-(\d+)\)", tree))
        moved = Counter(re.findall(r"\([A-Z]+(?:-[A-Z]+)?-(\d+) ", tree))
        assert traces == moved
        assert set(traces.values()) <= {1}
        if not is_projective([node.head.index for node in nodes]):
            crossing += 1
            assert traces
    assert crossing > 100


def test_head_rules_find_the_heads_that_they_share_with_the_grammar(derived):
    turned = Counter()
    for nodes, tree in trees_of(derived):
        [found] = dependencies(tree)
        assert is_projective(found.heads)
        assert (found.heads == 0).sum() == 1
        for node, head in zip(nodes, found.heads.tolist(), strict=True):
            if node.relation in SAME_HEADS:
                assert head == node.head.index, (node.relation, tree)
            if node.relation in TURNED_ROUND:
                turned[head == node.head.index] += 1
    assert turned[False] > 2000
    assert turned[True] == 0


def test_as_many_trees_as_sentences(tmp_path):
    sample = Sample(tokens=500, seed=2)
    sample.write(tmp_path / "sample.mrg", format="penn")
    assert len((tmp_path / "sample.mrg").read_text().splitlines()) == len(list(sample))


def test_questions_after_places_that_leave_their_preposition_behind_have_trees():
    trees = list(Sample(sentences=900, seed=100).brackets())
    assert trees[872] == (
        "( (SBARQ (NP-1 (NNP L.A.)) (SQ (VBD did) (NP-SBJ (PRP he))"
        " (VP (VB go) (PP (IN to) (NP (-NONE- *T*-1))))) (. ?)) )\n"
    )
