"""Deciding about sequences from packed weights, position by position or with a beam."""

from libc.math cimport INFINITY, exp, log
from libc.stdint cimport uint64_t
from libc.string cimport memcpy, memset

from headway.kernels.memory cimport Memory
from headway.kernels.sequence.beam cimport Beam, commit, offer, reserve, write_best
from headway.kernels.sequence.model cimport (
    ChoiceTable, Choices, Sequence, SequenceTable, SequenceTemplates, allowed_at, best_of, keys_at, score_of,
)
from headway.kernels.weights.packed cimport Model, PackedWeights, Row, add_rows, evaluate, fetch_buckets, find_rows


cdef class Deciding(Memory):
    """A feature model, choices and packed weights, with the memory that deciding needs."""

    cdef SequenceTemplates* model
    cdef Choices* choices
    cdef Model weights
    cdef uint64_t* keys
    cdef Row* rows
    cdef float* scores
    cdef float* base
    cdef int at_hand            # the position whose fixed features are looked up, -1 where there is none
    cdef int found              # how many of them have weights
    cdef Row* found_rows
    cdef uint64_t* next_keys    # those of the position that comes next
    cdef Row* next_rows
    cdef int* wanted            # parts of the choices that a position allows
    cdef bint* is_wanted
    cdef object keep

    def __cinit__(
        self, SequenceTable table not None, ChoiceTable choices not None, PackedWeights weights not None,
    ):
        if weights.classes != choices.choices.parts:
            raise ValueError(f"the weights are for {weights.classes} parts, not for {choices.choices.parts}")
        self.model, self.choices = &table.templates, &choices.choices
        self.weights = weights.model()[0]
        self.keys = <uint64_t*> self.take(self.model.templates, sizeof(uint64_t))
        self.rows = <Row*> self.take(self.model.templates, sizeof(Row))
        self.found_rows = <Row*> self.take(self.model.fixed, sizeof(Row))
        self.next_keys = <uint64_t*> self.take(self.model.fixed, sizeof(uint64_t))
        self.next_rows = <Row*> self.take(self.model.fixed, sizeof(Row))
        self.scores = <float*> self.take(2 * self.weights.classes, sizeof(float))
        self.base = self.scores + self.weights.classes
        self.wanted = <int*> self.take(self.weights.classes, sizeof(int))
        self.is_wanted = <bint*> self.take(self.weights.classes, sizeof(bint))
        self.keep = (table, choices, weights)

    cdef int check(
        self, const uint64_t[:, ::1] keys, const int[::1] offsets, const uint64_t[:, ::1] attributes,
        const int[::1] sets, int[::1] chosen,
    ) except -1:
        """Refuse arrays that do not fit each other; how many positions the longest sequence has."""
        cdef Py_ssize_t i
        cdef int longest = 0
        if not keys.shape[0] == sets.shape[0] == chosen.shape[0] or offsets.shape[0] < 1:
            raise ValueError("the arrays do not fit each other")
        if (
            keys.shape[1] < self.model.columns or attributes.shape[1] < self.model.attributes
            or attributes.shape[0] < self.choices.count or offsets[offsets.shape[0] - 1] > keys.shape[0]
        ):
            raise ValueError("the arrays do not fit the feature model")
        for i in range(sets.shape[0]):
            if sets[i] >= self.choices.sets:
                raise ValueError(f"there is no set {sets[i]}")
        for i in range(offsets.shape[0] - 1):
            longest = max(longest, offsets[i + 1] - offsets[i])
        return longest

    cdef int parts_of(self, const int* member, int allowed) noexcept nogil:
        """Write the parts that some choices are made of, each once, and return how many there are."""
        cdef int i, j, part, count = 0
        for i in range(allowed):
            for j in range(self.choices.start[member[i]], self.choices.start[member[i] + 1]):
                part = self.choices.member[j]
                if not self.is_wanted[part]:
                    self.is_wanted[part] = True
                    self.wanted[count] = part
                    count += 1
        for i in range(count):
            self.is_wanted[self.wanted[i]] = False
        return count

    cdef int following(self, const Sequence* sequence, int at, const int* sets) noexcept nogil:
        """The next position with more than one choice, from `at` on; -1 where there is none."""
        cdef const int* member
        while at < sequence.n and allowed_at(self.choices, sets[at], &member) < 2:
            at += 1
        return at if at < sequence.n else -1

    cdef int fetch_fixed(self, const Sequence* sequence, int at) noexcept nogil:
        """Let memory bring the slots of the features of a position that look at no decision; how many there are."""
        cdef int count = keys_at(self.model, sequence, at, NULL, 0, self.model.fixed, self.next_keys)
        fetch_buckets(&self.weights, self.next_keys, count)
        return count

    cdef void find_fixed(self, int at, int count) noexcept nogil:
        """Look up what was fetched, and let memory bring the rows."""
        self.found = find_rows(&self.weights, self.next_keys, count, self.next_rows)
        self.found_rows, self.next_rows, self.at_hand = self.next_rows, self.found_rows, at

    cdef void scores_at(
        self, const Sequence* sequence, int at, const int* decided, const int* sets, const int* member, int allowed
    ) noexcept nogil:
        """The scores of the parts of allowed choices; of all parts where `member` is NULL.

        Memory decides the speed. While weights are added up, it brings what the next position asks for.
        """
        cdef int count, many, ahead = 0, next_at = self.following(sequence, at + 1, sets)
        cdef const int* wanted = NULL if member == NULL else self.wanted
        if self.at_hand != at:
            self.find_fixed(at, self.fetch_fixed(sequence, at))
        count = keys_at(self.model, sequence, at, decided, self.model.fixed, self.model.templates, self.keys)
        fetch_buckets(&self.weights, self.keys, count)
        if next_at >= 0:
            ahead = self.fetch_fixed(sequence, next_at)
        memset(self.scores, 0, self.weights.classes * sizeof(float))
        many = 0 if member == NULL else self.parts_of(member, allowed)
        add_rows(&self.weights, self.found_rows, self.found, self.scores, wanted, many)
        count = find_rows(&self.weights, self.keys, count, self.rows)
        if next_at >= 0:
            self.find_fixed(next_at, ahead)
        add_rows(&self.weights, self.rows, count, self.scores, wanted, many)

    def greedily(
        self, const uint64_t[:, ::1] keys not None, const int[::1] offsets not None,
        const uint64_t[:, ::1] attributes not None, const int[::1] sets not None, int[::1] chosen not None,
        const int[::1] kinds=None, int[:, ::1] rivals=None, float[:, ::1] margins=None, bint decide=True,
    ):
        """The best choice for each position after the other, into `chosen`.

        Where `margins` are asked for, by how much what was chosen beats the best other choice, and the best one of
        another kind; choice c is of the kind kinds[c]. `rivals` become these two choices of each position, -1 where
        there is none, and `margins` what lies between, infinite then. Without `decide`, `chosen` holds choices that
        their positions allow, and stays; one that a beam took for the sake of later ones may lose.
        """
        cdef Sequence sequence
        cdef int s, i, first, allowed
        cdef const int* member
        self.check(keys, offsets, attributes, sets, chosen)
        if margins is not None:
            if (
                not rivals.shape[0] == margins.shape[0] == chosen.shape[0] or kinds.shape[0] != self.choices.count
                or not rivals.shape[1] == margins.shape[1] == 2
            ):
                raise ValueError("the arrays do not fit each other")
        for i in range(0 if decide else <int> chosen.shape[0]):
            if not 0 <= chosen[i] < self.choices.count:
                raise ValueError(f"there is no choice {chosen[i]}")
        with nogil:
            for s in range(<int> offsets.shape[0] - 1):
                first, sequence.n = offsets[s], offsets[s + 1] - offsets[s]
                if sequence.n == 0:
                    continue
                sequence.keys, sequence.attributes = &keys[first, 0], &attributes[0, 0]
                self.at_hand = -1
                for i in range(sequence.n):
                    allowed = allowed_at(self.choices, sets[first + i], &member)
                    if allowed > 1:
                        self.scores_at(&sequence, i, &chosen[first], &sets[first], member, allowed)
                    if decide:
                        chosen[first + i] = best_of(self.choices, self.scores, member, allowed, -1)
                    if margins is not None:
                        self.compare(
                            member, allowed, chosen[first + i], kinds, &rivals[first + i, 0], &margins[first + i, 0]
                        )

    cdef void compare(
        self, const int* member, int allowed, int right, const int[::1] kinds, int* rivals, float* margins
    ) noexcept nogil:
        """The best other choice than the right one, and the best of another kind, from the scores of their parts."""
        cdef int j, c, k
        cdef float value, own
        rivals[0] = rivals[1] = -1
        margins[0] = margins[1] = INFINITY
        if allowed == 1:
            return
        own = score_of(self.choices, self.scores, right)
        for j in range(allowed):
            c = j if member == NULL else member[j]
            if c == right:
                continue
            value = own - score_of(self.choices, self.scores, c)
            for k in range(1 + (kinds[c] != kinds[right])):
                if value < margins[k]:
                    margins[k], rivals[k] = value, c

    def with_beam(
        self, const uint64_t[:, ::1] keys not None, const int[::1] offsets not None,
        const uint64_t[:, ::1] attributes not None, const int[::1] sets not None, int[::1] chosen not None,
        int width, int memory, bint probabilities,
    ):
        """The best sequence of choices that a beam of `width` finds, into `chosen`.

        Of two that end in the same `memory` choices the better is kept, so that a beam that is wide enough finds the
        best of all: Viterbi's algorithm. With `probabilities`, scores are those of a logistic model and become
        logarithms of probabilities, Ratnaparkhi (1996).
        """
        cdef int longest = self.check(keys, offsets, attributes, sets, chosen)
        cdef Memory space = Memory()
        cdef Beam beam
        cdef Sequence sequence
        cdef int s, first
        if width < 1 or memory < 0:
            raise ValueError(f"a beam of {width}")
        reserve(&beam, space, longest, width, memory)
        with nogil:
            for s in range(<int> offsets.shape[0] - 1):
                first, sequence.n = offsets[s], offsets[s + 1] - offsets[s]
                if sequence.n == 0:
                    continue
                sequence.keys, sequence.attributes = &keys[first, 0], &attributes[0, 0]
                self.search(&sequence, &sets[first], &beam, probabilities)
                write_best(&beam, sequence.n, &chosen[first])

    cdef void search(self, const Sequence* sequence, const int* sets, Beam* beam, bint probabilities) noexcept nogil:
        """Fill the beam, position by position."""
        cdef int i, item, j, c, allowed, count, size = 1
        cdef double value, total, own
        cdef const int* member
        cdef int* recent
        memset(beam.recent, 0, <size_t> beam.memory * sizeof(int))
        beam.score[0] = 0
        for i in range(sequence.n):
            count = keys_at(self.model, sequence, i, NULL, 0, self.model.fixed, self.keys)
            memset(self.base, 0, self.weights.classes * sizeof(float))
            evaluate(&self.weights, self.keys, count, self.rows, self.base)
            allowed = allowed_at(self.choices, sets[i], &member)
            beam.found = 0
            for item in range(size):
                recent = beam.recent + <size_t> item * beam.memory
                memcpy(self.scores, self.base, self.weights.classes * sizeof(float))
                # decided[place] is asked for places from i - memory on
                count = keys_at(
                    self.model, sequence, i, recent - (i - beam.memory), self.model.fixed, self.model.templates,
                    self.keys
                )
                evaluate(&self.weights, self.keys, count, self.rows, self.scores)
                total = 0
                if probabilities:
                    own = -INFINITY
                    for j in range(allowed):
                        value = score_of(self.choices, self.scores, j if member == NULL else member[j])
                        own = value if value > own else own
                    for j in range(allowed):
                        total += exp(score_of(self.choices, self.scores, j if member == NULL else member[j]) - own)
                    total = own + log(total)
                for j in range(allowed):
                    c = j if member == NULL else member[j]
                    value = beam.score[item] + score_of(self.choices, self.scores, c) - total
                    offer(beam, i, item, c, value)
            size = commit(beam, i)
