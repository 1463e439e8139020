"""Learning sequence models: passes of an online learner over positions, in which it may follow its own decisions."""

from libc.stdint cimport uint64_t
from libc.string cimport memset

from headway.kernels.sequence.model cimport (
    ChoiceTable, Choices, Sequence, SequenceTable, SequenceTemplates, allowed_at, best_of, keys_at, parts_apart,
    score_of,
)
from headway.kernels.memory cimport Memory
from headway.kernels.weights.hardware cimport prefetch
from headway.kernels.weights.random cimport random
from headway.kernels.weights.rules cimport Rule, StepRule
from headway.kernels.weights.table cimport ExampleTally, WeightTable, Weights, learn_classes, number, score


def number_features(
    SequenceTable table not None, const uint64_t[:, ::1] keys not None, const int[::1] offsets not None,
    const uint64_t[:, ::1] attributes not None, const int[::1] decided not None, Weights weights not None,
    int[:, ::1] ids not None,
):
    """Number the features of all positions, once for all passes: ids[i, k] for position i, -1 behind the last.

    Where nothing is `decided`, only those that look at no decision.
    """
    cdef SequenceTemplates* model = &table.templates
    cdef Sequence sequence
    cdef int s, i, k, count, used, templates = model.templates if decided.shape[0] else model.fixed
    cdef const int* before = &decided[0] if decided.shape[0] else NULL
    if keys.shape[1] < model.columns or ids.shape[0] != keys.shape[0] or ids.shape[1] < templates:
        raise ValueError("the arrays do not fit each other")
    if decided.shape[0] and (decided.shape[0] != keys.shape[0] or attributes.shape[1] < model.attributes):
        raise ValueError("the arrays do not fit each other")
    if templates == 0:
        return
    cdef Memory memory = Memory()
    cdef uint64_t* found = <uint64_t*> memory.take(templates, sizeof(uint64_t))
    with nogil:
        for s in range(<int> offsets.shape[0] - 1):
            sequence.n = offsets[s + 1] - offsets[s]
            sequence.keys = &keys[offsets[s], 0] if sequence.n else NULL
            sequence.attributes = &attributes[0, 0] if attributes.shape[0] else NULL
            for i in range(sequence.n):
                count = keys_at(
                    model, &sequence, i, before + offsets[s] if before != NULL else NULL, 0, templates, found
                )
                used = number(&weights.table, found, count, &ids[offsets[s] + i, 0])
                for k in range(used, <int> ids.shape[1]):
                    ids[offsets[s] + i, k] = -1


def learn(
    SequenceTable table not None, ChoiceTable possible not None, const uint64_t[:, ::1] keys not None,
    const int[::1] offsets not None, const uint64_t[:, ::1] attributes not None, const int[:, ::1] ids not None,
    const int[::1] sets not None, const int[::1] gold not None, const int[::1] order not None,
    Weights weights not None, StepRule rule not None, double time, double explore, double drop, uint64_t seed,
):
    """One pass over the sequences in the given order.

    Position i has the right choice gold[i] and may have those of set sets[i], all where it is -1. With the chance
    `explore`, later positions see what the model has chosen, else what is right. With the chance `drop`, a feature is
    left out, so that none is relied on alone. Returns positions, mistakes, updates, and the state of the seed.
    """
    cdef SequenceTemplates* model = &table.templates
    cdef Choices* choices = &possible.choices
    cdef WeightTable* weight_table = &weights.table
    cdef Rule formula = rule.rule
    cdef Sequence sequence
    cdef ExampleTally tally = ExampleTally(0, 0, 0)
    cdef int k, s, i, j, n, first, count, more, right, wrong, rights, wrongs, allowed, longest = 0
    cdef const int* member
    cdef float best, own
    if not keys.shape[0] == ids.shape[0] == sets.shape[0] == gold.shape[0] or keys.shape[1] < model.columns:
        raise ValueError("the arrays do not fit each other")
    if weight_table.classes != choices.parts or attributes.shape[0] < choices.count:
        raise ValueError("weights and choices do not fit each other")
    for s in range(<int> offsets.shape[0] - 1):
        longest = max(longest, offsets[s + 1] - offsets[s])
    cdef Memory memory = Memory()
    cdef uint64_t* found = <uint64_t*> memory.take(model.templates, sizeof(uint64_t))
    cdef int* used = <int*> memory.take(model.templates, sizeof(int))
    cdef int* decided = <int*> memory.take(longest, sizeof(int))
    cdef int* plus = <int*> memory.take(possible.most_parts, sizeof(int))
    cdef int* minus = <int*> memory.take(possible.most_parts, sizeof(int))
    cdef float* scores = <float*> memory.take(choices.parts, sizeof(float))
    with nogil:
        for k in range(<int> order.shape[0]):
            s = order[k]
            first, n = offsets[s], offsets[s + 1] - offsets[s]
            sequence.n = n
            sequence.keys = &keys[first, 0] if n else NULL
            sequence.attributes = &attributes[0, 0]
            for i in range(n):
                if i + 1 < n:
                    for j in range(model.fixed):
                        if ids[first + i + 1, j] < 0:
                            break
                        prefetch(&weight_table.rows[ids[first + i + 1, j]])
                count = 0
                for j in range(model.fixed):
                    if ids[first + i, j] < 0:
                        break
                    if drop == 0 or random(&seed) >= drop:
                        used[count] = ids[first + i, j]
                        count += 1
                more = keys_at(model, &sequence, i, decided, model.fixed, model.templates, found)
                if drop > 0:
                    rights = 0
                    for j in range(more):
                        if random(&seed) >= drop:
                            found[rights] = found[j]
                            rights += 1
                    more = rights
                count += number(weight_table, found, more, used + count)
                memset(scores, 0, choices.parts * sizeof(float))
                score(weight_table, used, count, scores)
                right = gold[first + i]
                allowed = allowed_at(choices, sets[first + i], &member)
                wrong = best_of(choices, scores, member, allowed, right)
                time += 1
                tally.examples += 1
                decided[i] = right
                if wrong < 0:
                    continue
                own, best = score_of(choices, scores, right), score_of(choices, scores, wrong)
                tally.mistakes += best >= own
                rights, wrongs = parts_apart(choices, right, wrong, plus), parts_apart(choices, wrong, right, minus)
                tally.updates += learn_classes(
                    weight_table, &formula, used, count, plus, rights, minus, wrongs, <double> own - best, time
                )
                if best > own and explore > 0 and (explore >= 1 or random(&seed) < explore):
                    decided[i] = wrong
    rule.check()
    return tally.examples, tally.mistakes, tally.updates, seed
