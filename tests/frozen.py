"""A reader of frozen weights that knows nothing but the description of their layout."""

import numpy as np


def row_of(slots, rows, classes, key):
    """The weights of a feature for all classes; zeros where the table does not have it."""
    values = np.zeros(classes, np.float32)
    at = ((key & 0xFFFFFFFF) * len(slots)) >> 32
    while slot := int(slots[at]):
        if slot >> 32 == key >> 32:
            begin = slot & 0xFFFFFFFF
            halves = rows[begin:].view(np.uint16)
            if halves[0] == 0xFFFF:
                return rows[begin + 1 : begin + 1 + classes].view(np.float32).copy()
            count = int(halves[0])
            numbers = begin + 1 + count // 2
            values[halves[1 : 1 + count]] = rows[numbers : numbers + count].view(np.float32)
            return values
        at = (at + 1) % len(slots)
    return values
