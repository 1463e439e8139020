"""See choices.pxd."""


cdef class ChoiceTable:
    """Choices with their parts, and sets of choices; every set has one choice at least."""

    def __init__(
        self, *, const int[::1] start not None, const int[::1] member not None, int parts,
        const int[::1] set_start not None, const int[::1] set_member not None,
    ):
        cdef Py_ssize_t i
        cdef int count = <int> start.shape[0] - 1
        if count < 1 or start[0] != 0 or start[count] != member.shape[0]:
            raise ValueError(f"{count} choices, and their parts begin or end elsewhere")
        for i in range(count):
            if start[i + 1] < start[i]:
                raise ValueError(f"the parts of choice {i} end before they begin")
            self.most_parts = max(self.most_parts, start[i + 1] - start[i])
        for i in range(member.shape[0]):
            if not 0 <= member[i] < parts:
                raise ValueError(f"there is no part {member[i]}")
        if set_start.shape[0] < 1 or set_start[0] != 0 or set_start[set_start.shape[0] - 1] != set_member.shape[0]:
            raise ValueError("sets of choices begin or end elsewhere")
        for i in range(set_start.shape[0] - 1):
            if set_start[i + 1] <= set_start[i]:
                raise ValueError(f"set {i} of choices is empty")
        for i in range(set_member.shape[0]):
            if not 0 <= set_member[i] < count:
                raise ValueError(f"there is no choice {set_member[i]}")
        self.choices.count, self.choices.parts = count, parts
        self.choices.start = &start[0]
        self.choices.member = &member[0] if member.shape[0] else NULL
        self.choices.sets = <int> set_start.shape[0] - 1
        self.choices.set_start = &set_start[0]
        self.choices.set_member = &set_member[0] if set_member.shape[0] else NULL
        self.keep = (start, member, set_start, set_member)

    def __len__(self):
        """Number of choices."""
        return self.choices.count
