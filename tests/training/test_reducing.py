"""Weights that are cut and learned again: sizes of models, with dev and without, after an interruption."""

import numpy as np
import pytest

import headway
from headway.data.sample import generate
from headway.data.sources import batches_of
from headway.kernels.weights.table import Weights
from headway.parsers.transition.options import TransitionOptions
from headway.training.dev_scores import Judgement
from headway.training.loop import TrainingLoop
from headway.training.reducing import cut_weights, is_content, reduced, root_mean_square
from headway.training.sizes import Cuts
from headway.training.train import row_from

HOW = {"features": "malt-14", "passes": 2}


def bytes_of(stage):
    return sum(array.nbytes for array in stage.pack().arrays.values())


def test_smaller_sizes_make_smaller_models():
    treebank = list(generate(60, seed=1))
    sizes = [bytes_of(headway.train(treebank, size=size, **HOW).stages[0]) for size in ("small", "default", "full")]
    exact = bytes_of(headway.train(treebank, exact=True, **HOW).stages[0])
    assert sizes == sorted(sizes) and 2 * sizes[0] < sizes[2] and 1.5 * sizes[2] < exact


def test_a_size_holds_for_all_stages():
    for given in ({"size": "small"}, {"exact": True}):
        _, row = row_from(None, {"pipeline": True, "tagger.size": "full", **given})
        of_stages = {one.family: (one.size, one.exact) for one in row}
        assert of_stages.pop("tagger") == ("full", given.get("exact", False))
        assert set(of_stages.values()) == {(given.get("size", "default"), given.get("exact", False))}
    _, [*stages, graph] = row_from(None, {"pipeline": True, "parser": "graph", "size": "small"})
    assert graph.family == "graph" and {one.size for one in stages} == {"small"}


def test_what_is_cut_is_gone_and_the_rest_begins_anew():
    weights = Weights(4, variance=False, average=True)
    planes = np.array([[4, 1, -3, 0.5], [2, 2, 0, 0.5]], np.float32)
    weights.restore(
        np.array([5, 6, 7], np.uint64), np.array([2, 1, 1], np.uint16), np.array([0, 3, 1, 2], np.uint16), planes
    )
    assert root_mean_square(weights, 2, True) == pytest.approx(np.sqrt((9 + 0 + 9 + 0.25**2) / 3))
    keys, sizes, classes, planes = cut_weights(weights, Weights(4, variance=False, average=True), 2, True, 0.3).dump()
    assert keys.tolist() == [5, 6] and sizes.tolist() == [1, 1] and classes.tolist() == [0, 1]
    assert planes.tolist() == [[3, -3], [0, 0]]


@pytest.mark.parametrize(
    ("scores", "before", "chosen"),
    [
        ((90.0, 89.9, 88.0), 90.0, 1),
        ((90.0, 88.0, 89.9), 90.0, 2),
        ((88.0, 89.0, 88.5), 90.0, 1),
        ((1.0, 2.0, 3.0), None, 1),
    ],
)
def test_the_hardest_cut_that_dev_allows_is_kept(scores, before, chosen):
    class Cutting:
        reduction = Cuts((1.0, 2.0, 3.0), 0.3, 2)
        made = ()

        def cut(self, smallest):
            self.made = (*self.made, smallest)

        def root_mean_square(self):
            return 0.5

    training = Cutting()
    judgements = [None if before is None else Judgement("ud", {"LAS": score, "CM": 0.0}) for score in scores]
    kept = reduced(
        training,
        lambda: None,
        lambda: (len(training.made) - 1, judgements[len(training.made) - 1]),
        None if before is None else Judgement("ud", {"LAS": before, "CM": 50.0}),
    )
    assert kept == chosen and training.made == (0.5, 1.0, 1.5)[: 2 if before is None else 3]


def test_no_score_may_fall_but_those_of_whole_sentences():
    before = Judgement("all", {"all": 90.0, "UPOS": 95.0})
    assert is_content(Judgement("all", {"all": 91.0, "UPOS": 94.9}), before, 0.1)
    assert not is_content(Judgement("all", {"all": 91.0, "UPOS": 94.8}), before, 0.1)


def test_an_interrupted_training_comes_to_the_same_model(tmp_path):
    data, options = list(batches_of(generate(40, seed=1))), TransitionOptions(explore=0.9, **HOW)
    whole = TrainingLoop(options, data).run()
    loop = TrainingLoop(options, data, checkpoint=tmp_path / "checkpoint", checkpoint_seconds=0)
    steps = iter(loop)
    next(steps)
    steps.close()
    again = TrainingLoop(options, data, checkpoint=tmp_path / "checkpoint").run()
    assert again.about["passes"] == whole.about["passes"] == 2
    for one, other in zip(again.weights.arrays().values(), whole.weights.arrays().values(), strict=True):
        assert np.array_equal(one, other)
