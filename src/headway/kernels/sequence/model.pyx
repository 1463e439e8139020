"""See model.pxd."""

from libc.stdint cimport uint64_t

KINDS = {"column": COLUMN, "decision": DECISION}
"""What a slot takes its value from."""
OUTSIDE = {"before": BEFORE, "after": AFTER}
"""The values that stand beyond the ends of a sequence."""


cdef int assure_lists(str what, const int[::1] start, const int[::1] member, int fewest, Py_ssize_t below) except -1:
    """Refuse lists member[start[i] : start[i + 1]] shorter than `fewest`, or with numbers that are not `below`."""
    cdef Py_ssize_t i, count = start.shape[0] - 1
    if count < 0 or start[0] != 0 or start[count] != member.shape[0]:
        raise ValueError(f"the first {what} begins elsewhere, or the last one ends elsewhere")
    for i in range(count):
        if start[i + 1] - start[i] < fewest:
            raise ValueError(f"{what} {i} has {start[i + 1] - start[i]} members")
    for i in range(member.shape[0]):
        if not 0 <= member[i] < below:
            raise ValueError(f"a {what} has member {member[i]}, which is not there")
    return 0


cdef class SequenceTable:
    """A feature model over sequences, checked: slots (kind, offset, argument), and the slots of each template."""

    def __init__(
        self, *, const int[:, ::1] slot not None, const int[::1] start not None, const int[::1] member not None,
        const uint64_t[::1] seed not None, int fixed, int columns, int attributes,
    ):
        cdef Py_ssize_t i, templates = seed.shape[0]
        if slot.shape[1] != 3:
            raise ValueError("a slot has not three numbers")
        if start.shape[0] != templates + 1:
            raise ValueError(f"{start.shape[0] - 1} of {templates} templates have slots")
        assure_lists("template", start, member, 0, slot.shape[0])
        for i in range(slot.shape[0]):
            if not 0 <= slot[i, 2] < (columns if slot[i, 0] == COLUMN else attributes):
                raise ValueError(f"slot {i} looks at {slot[i, 2]}, which is no column and no attribute")
            if slot[i, 0] != COLUMN and slot[i, 1] >= 0:
                raise ValueError(f"slot {i} looks at what is not decided yet")
        if not 0 <= fixed <= templates:
            raise ValueError(f"{fixed} of {templates} templates look at no decision")
        for i in range(start[fixed]):
            if slot[member[i], 0] != COLUMN:
                raise ValueError("a template that looks at decisions stands among the others")
        self.templates.templates, self.templates.fixed = <int> templates, fixed
        self.templates.columns, self.templates.attributes = columns, attributes
        self.templates.slot = &slot[0, 0] if slot.shape[0] else NULL
        self.templates.start = &start[0]
        self.templates.member = &member[0] if member.shape[0] else NULL
        self.templates.seed = &seed[0] if templates else NULL
        self.keep = (slot, start, member, seed)

    @property
    def memory(self):
        """How many decisions before a position its features look at."""
        cdef int back = 0, j
        for j in range(self.templates.start[self.templates.templates]):
            if self.templates.slot[3 * self.templates.member[j]] != COLUMN:
                back = max(back, -self.templates.slot[3 * self.templates.member[j] + 1])
        return back


cdef class ChoiceTable:
    """Choices with their parts, and sets of choices; every set has one choice at least."""

    def __init__(
        self, *, const int[::1] start not None, const int[::1] member not None, int parts,
        const int[::1] set_start not None, const int[::1] set_member not None,
    ):
        cdef Py_ssize_t i
        cdef int count = <int> start.shape[0] - 1
        if count < 1:
            raise ValueError("there are no choices")
        assure_lists("choice", start, member, 0, parts)
        assure_lists("set", set_start, set_member, 1, count)
        for i in range(count):
            self.most_parts = max(self.most_parts, start[i + 1] - start[i])
        self.choices.count, self.choices.parts = count, parts
        self.choices.start = &start[0]
        self.choices.member = &member[0] if member.shape[0] else NULL
        self.choices.sets = self.choices.known = <int> set_start.shape[0] - 1
        self.choices.set_start = &set_start[0]
        self.choices.set_member = &set_member[0] if set_member.shape[0] else NULL
        self.keep = (start, member, set_start, set_member)

    def with_more(self, const int[::1] set_start not None, const int[::1] set_member not None):
        """The same with more sets behind its own. Linear in these."""
        cdef ChoiceTable table = ChoiceTable.__new__(ChoiceTable)
        assure_lists("set", set_start, set_member, 1, self.choices.count)
        table.choices, table.most_parts = self.choices, self.most_parts
        table.choices.known = self.choices.sets
        table.choices.sets += <int> set_start.shape[0] - 1
        table.choices.more_start = &set_start[0]
        table.choices.more_member = &set_member[0] if set_member.shape[0] else NULL
        table.keep = (self, set_start, set_member)
        return table
