"""Trees and keys of a treebank as arrays."""

import numpy as np
import pytest

from headway import Sentence
from headway.base.errors import HeadwayError
from headway.data.sources import batches_of
from headway.features.compile import compile_features
from headway.features.language import parse
from headway.stages.gold import encode_all, trees_of

SENTENCES = [
    Sentence(forms=["Dogs", "bark"], heads=[2, 0], deprels=["nsubj", "root"], feats=["Number=Plur", "A=b|C=d"]),
    Sentence(forms=["Who", "did", "you", "see"], heads=[4, 0, 2, 2], deprels=["obj", "root", "nsubj", "xcomp"]),
    Sentence(forms=["Yes"], heads=[0], deprels=["root"], feats=["E=f"]),
]


def test_trees():
    trees = trees_of(list(batches_of(SENTENCES)), None)
    assert trees.offsets.tolist() == [0, 2, 6, 7]
    assert trees.heads.tolist() == [2, 0, 4, 0, 2, 2, 0]
    assert [trees.names[number] for number in trees.labels] == [name for s in SENTENCES for name in s.deprels]
    assert trees.names == ("nsubj", "obj", "root", "xcomp")
    assert trees.longest == 4


def test_trees_made_projective():
    trees = trees_of(list(batches_of(SENTENCES)), "head")
    assert trees.heads.tolist() == [2, 0, 2, 0, 2, 2, 0]
    assert trees.names[trees.labels[2]] == "obj↑xcomp"


def test_a_treebank_without_trees_is_refused():
    with pytest.raises(HeadwayError, match="no sentences; give one with trees"):
        trees_of([], "head")
    with pytest.raises(HeadwayError, match="has no heads"):
        trees_of([Sentence(forms=["a"]).batch], "head")


def test_the_keys_of_all_words_are_those_of_each_batch():
    templates = compile_features(parse("LEX(STACK0)\nFEAT(STACK0)\nSUFFIX2(STACK0)"))
    batches = [sentence.batch for sentence in SENTENCES]
    together = encode_all(templates, batches)
    apart = [templates.encode(batch) for batch in batches]
    assert np.array_equal(together.keys, np.concatenate([part.keys for part in apart]))
    assert together.start.tolist() == [0, 1, 3, 3, 3, 3, 3, 4]
    assert np.array_equal(together.features, np.concatenate([part.features for part in apart]))
