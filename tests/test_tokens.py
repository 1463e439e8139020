import pytest
from hypothesis import given
from scored_trees import trees_of
from strategies import trees

import headway
from headway import HeadwayError, Sentence


@pytest.fixture
def sentence():
    return Sentence(
        forms=["Big", "dogs", "bark"],
        lemmas=["big", "dog", "bark"],
        upos=["ADJ", "NOUN", "VERB"],
        heads=[2, 3, 0],
        deprels=["amod", "nsubj", "root"],
        misc=["_", "_", "SpaceAfter=No"],
    )


def test_tokens_have_the_cells_of_their_word(sentence):
    columns = {
        name: getattr(sentence, name) for name in ("forms", "lemmas", "upos", "xpos", "feats", "deprels", "misc")
    }
    for index, token in enumerate(sentence):
        assert token.id == index + 1
        for name, cells in columns.items():
            assert getattr(token, name if name in ("upos", "xpos", "feats", "misc") else name[:-1]) == cells[index]
        assert token.head == sentence.heads[index]
        assert token.deps == "_"


def test_a_sentence_is_indexed_as_a_list_is(sentence):
    tokens = list(sentence)
    assert sentence[0] == tokens[0]
    assert sentence[-1] == tokens[2]
    assert sentence[1:] == tokens[1:]
    assert sentence[::-1] == tokens[::-1]
    assert sentence[5:] == []
    assert tokens[1] in sentence
    with pytest.raises(IndexError, match="the sentence has 3 words; there is none at index 3"):
        sentence[3]
    with pytest.raises(HeadwayError, match=r"sentence\['form'\]: give a number or a slice"):
        sentence["form"]


@given(trees())
def test_parents_and_children_are_the_tree(heads):
    sentence = Sentence(forms=["x"] * len(heads), heads=heads)
    for token in sentence:
        assert (token.parent.id if token.parent else 0) == heads[token.id - 1]
        assert [child.id for child in token.children] == [n for n, head in enumerate(heads, 1) if head == token.id]


def test_tokens_of_a_sentence_inside_a_batch_are_its_own(sentence):
    other = Sentence(forms=["Cats", "sleep"], heads=[2, 0])
    from headway.data.sources import rebatched

    [batch] = rebatched([sentence, other])
    assert [(token.form, token.head) for token in Sentence.view(batch, 1)] == [("Cats", 2), ("sleep", 0)]


def test_a_sentence_without_a_tree_has_tokens_without_heads():
    token = Sentence(forms=["Dogs", "bark"])[0]
    assert repr(token) == "<Token 1 Dogs>"
    assert token.to_dict()["head"] is None
    with pytest.raises(HeadwayError, match="this sentence has no heads"):
        token.head  # noqa: B018


def test_tokens_are_equal_where_word_and_sentence_are(sentence):
    again = sentence.replace(lemmas=sentence.lemmas)
    assert sentence[0] == again[0]
    assert hash(sentence[0]) == hash(again[0])
    assert sentence[0] != sentence[1]
    assert sentence[0] != sentence.replace(lemmas=["a", "b", "c"])[0]
    assert sentence[0] != "Big"


def test_what_tokens_print_is_short(sentence):
    assert str(sentence[0]) == "Big"
    assert [repr(token) for token in sentence] == [
        "<Token 1 Big, amod of 2>",
        "<Token 2 dogs, nsubj of 3>",
        "<Token 3 bark, root>",
    ]
    assert sentence[0].to_dict() == {
        "id": 1,
        "form": "Big",
        "lemma": "big",
        "upos": "ADJ",
        "xpos": "_",
        "feats": "_",
        "head": 2,
        "deprel": "amod",
        "deps": "_",
        "misc": "_",
    }


def test_features_are_a_mapping_and_a_cell():
    sentence = Sentence(["a", "b", "c"], feats=["Case=Nom|PronType=Int,Rel", "_", "sg|nom"])
    feats = [token.feats for token in sentence]
    assert (feats[0]["Case"], feats[0]["PronType"], feats[0].get("Number")) == ("Nom", "Int,Rel", None)
    assert list(feats[0]) == ["Case", "PronType"] and "Case" in feats[0] and "Ca" not in feats[0]
    assert dict(feats[1]) == {} and not feats[1] and feats[1] == "_"
    assert dict(feats[2]) == {"sg": "", "nom": ""}
    assert list(map(str, feats)) == sentence.feats == feats
    assert feats[0] == {"PronType": "Int,Rel", "Case": "Nom"} and hash(feats[0]) == hash(str(feats[0]))
    assert feats[0] != feats[1] and feats[0] != 3
    assert sentence.replace(feats=feats) == sentence == sentence.replace(feats=sentence.feats)
    with pytest.raises(KeyError):
        feats[0]["Tense"]


@pytest.mark.parametrize("heads", [heads.tolist() for words in (1, 2, 3, 4) for heads in trees_of(words)])
def test_subtrees_and_ancestors_are_those_of_the_tree(heads):
    sentence = Sentence(list("abcde"[: len(heads)]), heads=heads, deprels=["x"] * len(heads))
    above = {0: []} | {word: [] for word in range(1, len(heads) + 1)}
    for word in above:
        at = word
        while at and heads[at - 1]:
            at = heads[at - 1]
            above[word].append(at)
    assert heads[sentence.root.id - 1] == 0 and sentence.root.id == heads.index(0) + 1
    for token in sentence:
        assert [one.id for one in token.ancestors] == above[token.id]
        below = [word for word in above if word and (word == token.id or token.id in above[word])]
        assert [one.id for one in token.subtree] == below


def test_heads_that_were_given_in_part_may_go_in_circles(tmp_path):
    lines = (f"{n}\tw\t_\t_\t_\t_\t{head}\t_\t_\t_\n" for n, head in ((1, 2), (2, 1), (3, "_")))
    (tmp_path / "t.conllu").write_text("".join(lines))
    [sentence] = headway.read(tmp_path / "t.conllu", partial=True)
    assert [[one.id for one in token.ancestors] for token in sentence] == [[2, 1], [1, 2], []]
    assert [[one.id for one in token.subtree] for token in sentence] == [[1, 2], [1, 2], [3]]
    with pytest.raises(headway.HeadwayError, match="no heads"):
        assert sentence.root
