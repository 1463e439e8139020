"""Feature models and words as Python hands them to the kernels, and the numbers that compilers of models need."""

from libc.stdint cimport uint64_t

MOST = {"addresses": MOST_ADDRESSES, "slots": MOST_SLOTS}
TAKE_STEP = STEP
ROOT_KEY = THE_ROOT
"""What every column of the root holds."""
SLOTS = {
    "column": COLUMN,
    "DEP": LABEL,
    "DISTANCE": DISTANCE,
    "LEFT": LEFT_VALENCY,
    "RIGHT": RIGHT_VALENCY,
    "FEAT": EACH_FEATURE,
    "SIDE": SIDE,
}


def mix_all(const uint64_t[::1] keys, const uint64_t[::1] values, uint64_t[::1] mixed):
    """Mix each key with a value, as the keys of templates are mixed."""
    cdef Py_ssize_t i
    for i in range(keys.shape[0]):
        mixed[i] = mix(keys[i], values[i])


cdef class TemplateTable:
    """A feature model: addresses, slots and templates, as `templates.pxd` describes them, in parts or in one."""

    def __init__(
        self, *, const int[:, ::1] address not None, const int[:, ::1] slot not None, const int[::1] start not None,
        const int[::1] member not None, const uint64_t[::1] seed not None, const int[::1] part=None,
        const int[::1] base=None,
    ):
        cdef Py_ssize_t i, templates = seed.shape[0]
        if address.shape[1] != 3 or slot.shape[1] != 3:
            raise ValueError("an address or a slot has not three numbers")
        if start.shape[0] != templates + 1 or start[templates] != member.shape[0]:
            raise ValueError(f"{templates} templates, and their slots begin or end elsewhere")
        self.templates.addresses, self.templates.slots = <int> address.shape[0], <int> slot.shape[0]
        self.templates.templates = <int> templates
        self.templates.address = &address[0, 0] if address.shape[0] else NULL
        self.templates.slot = &slot[0, 0] if slot.shape[0] else NULL
        self.templates.start = &start[0]
        self.templates.member = &member[0] if member.shape[0] else NULL
        self.templates.seed = &seed[0] if templates else NULL
        if part is not None:
            if part.shape[0] != base.shape[0] + 1 or part[base.shape[0]] != templates:
                raise ValueError(f"{templates} templates, and their parts end elsewhere")
            self.templates.parts, self.templates.part, self.templates.base = <int> base.shape[0], &part[0], &base[0]
        for i in range(slot.shape[0]):
            if slot[i, 0] == COLUMN:
                self.columns = max(self.columns, slot[i, 2] + 1)
        for i in range(member.shape[0]):
            self.of_each += slot[member[i], 0] == EACH_FEATURE
        self.keep = (address, slot, start, member, seed, part, base)


cdef class WordTable:
    """The keys of words, one for each column; the single features of word i are features[start[i] : start[i + 1]]."""

    def __init__(
        self, *, const uint64_t[:, ::1] keys not None, const int[::1] start not None,
        const uint64_t[::1] features not None,
    ):
        cdef Py_ssize_t i, words = keys.shape[0]
        if start.shape[0] != words + 1 or start[words] != features.shape[0]:
            raise ValueError(f"{words} words, and their morphological features begin or end elsewhere")
        self.count, self.columns = <int> words, <int> keys.shape[1]
        self.words.keys = &keys[0, 0] if words else NULL
        self.words.feature_start = &start[0]
        self.words.features = &features[0] if features.shape[0] else NULL
        for i in range(words):
            self.most_features = max(self.most_features, start[i + 1] - start[i])
        self.keep = (keys, start, features)


cdef Templates templates_over(TemplateTable table, WordTable words) except *:
    """A feature model over words, which somebody else keeps both."""
    cdef Templates model = table.templates
    if table.columns > words.columns:
        raise ValueError(f"the features look at {table.columns} columns, and words have {words.columns}")
    model.columns = words.columns
    return model


cdef int most_keys(TemplateTable table, WordTable words) noexcept nogil:
    """How many keys a configuration has at the most."""
    return table.templates.templates + table.of_each * words.most_features
