"""What a transition parser chooses between."""

import numpy as np
import pytest
from derivations import LEFT, REDUCE, RIGHT, SHIFT, SWAP, SYSTEMS, label

from headway.base.errors import HeadwayError
from headway.kernels.text.encode import key_of
from headway.parsers.transition.classes import classes_from_counts
from headway.parsers.transition.registry import ChosenSystem
from headway.stages.tree_stage import label_keys

LABELS = ("det", "nsubj", "root")


def counts(*transitions):
    found = np.zeros((5, len(LABELS) + 1), np.int64)
    for action, name in transitions:
        found[action, LABELS.index(name) + 1 if name else 0] += 1
    return found


SEEN = counts((SHIFT, None), (LEFT, "root"), (LEFT, "root"), (RIGHT, "nsubj"), (REDUCE, None))


def test_one_step_has_a_class_for_each_transition_seen():
    classes = classes_from_counts(SEEN, LABELS, two_step=False)
    assert classes.transitions == ((SHIFT, -1), (LEFT, 2), (RIGHT, 1), (REDUCE, -1))
    assert classes.action.tolist() == [SHIFT, LEFT, RIGHT, REDUCE]
    assert classes.label.tolist() == [-1, 2, 1, -1]
    assert len(classes) == 4


def test_two_steps_have_a_class_for_each_action_and_for_each_label_given_an_action():
    both = SEEN + counts((LEFT, "nsubj"))
    classes = classes_from_counts(both, LABELS, two_step=True)
    assert classes.transitions == ((SHIFT, -1), (LEFT, 1), (LEFT, 2), (RIGHT, 1), (REDUCE, -1))
    assert classes.action.tolist() == [0, 1, 2, 3, 4, -1, -1, -1]
    assert classes.label.tolist() == [-1, -1, -1, -1, -1, 1, 2, 1]
    assert len(classes) == 8


@pytest.mark.parametrize("two_step", [False, True])
def test_numbers_lead_back_to_transitions(two_step):
    classes = classes_from_counts(SEEN + counts((LEFT, "nsubj"), (RIGHT, "root")), LABELS, two_step)
    numbers = classes.number.reshape(5, -1)
    for action in range(5):
        for name in range(-1, len(LABELS)):
            number = numbers[action, name + 1]
            if (action, name) in classes.transitions:
                assert classes.label[number] == name
                assert classes.action[number] == (-1 if two_step and name >= 0 else action)
            else:
                assert number == -1
    assert len(set(numbers[numbers >= 0].tolist())) == len(classes.transitions)


@pytest.mark.parametrize("system", SYSTEMS, ids=label)
@pytest.mark.parametrize("two_step", [False, True])
def test_a_parser_is_never_without_a_class(system, two_step):
    """Even after a treebank of words that all hang on the root, in which no other action was ever seen."""
    classes = classes_from_counts(counts((SHIFT, None)), LABELS, two_step, system.actions)
    numbers = classes.number.reshape(5, -1)
    for action in system.actions:
        assert (numbers[action, 1:] if action in (LEFT, RIGHT) else numbers[action, :1]).max() >= 0


def test_an_action_that_was_not_seen_gets_the_most_frequent_label():
    classes = classes_from_counts(counts((SHIFT, None), (LEFT, "root"), (LEFT, "det"), (LEFT, "root")), LABELS, False)
    assert (RIGHT, LABELS.index("root")) in classes.transitions
    assert (REDUCE, -1) in classes.transitions
    assert SWAP not in classes.action


def test_systems_know_their_actions():
    assert ChosenSystem().actions == (SHIFT, LEFT, RIGHT, REDUCE)
    assert ChosenSystem(name="swap", root="start").actions == (SHIFT, LEFT, RIGHT)


def test_the_keys_of_labels_are_those_of_their_names():
    assert label_keys(LABELS).tolist() == [key_of(name.encode()) for name in LABELS]


def test_a_column_of_words_is_no_column_of_labels():
    labels = [f"word{number}" for number in range(30_000)]
    everything = np.ones((5, len(labels) + 1), np.int64)
    everything[[LEFT, RIGHT], 0] = 0
    with pytest.raises(
        HeadwayError, match=r"has 30000 labels, which make 150003 classes .*; at most 65534 are possible"
    ):
        classes_from_counts(everything, labels, two_step=False)
    everything[[SHIFT, REDUCE, SWAP], 1:] = 0
    assert len(classes_from_counts(everything, labels, two_step=True)) == 60_005
