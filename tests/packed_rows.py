"""A reader of packed weights that knows nothing but the description of their layout, and a writer of the former one."""

import numpy as np


def row_of(weights, key):
    """The weights of a feature for all classes; zeros where the table does not have it."""
    values, arrays = np.zeros(weights.classes, np.float32), weights.arrays()
    lines, rows, scale = arrays["lines"].reshape(-1, 64), arrays["long_rows"].tobytes(), arrays["scale"][0]
    mark, size = (2, 1) if scale else (4, 4)

    def numbers(data):
        if not scale:
            return np.frombuffer(data, "<f4")
        small = np.frombuffer(data, np.int8).astype(np.float32)
        return small * np.abs(small) * scale

    upper = key >> 32
    at = upper * len(lines) >> 32
    for tries in range(len(lines) + 1):
        line = lines[at].tobytes()
        count, more = line[0] & 127, line[0] >> 7
        marks = [int.from_bytes(line[1 + mark * i : 1 + mark * (i + 1)], "little") for i in range(count)]
        sizes = line[1 + mark * count : 1 + (mark + 1) * count]
        if upper & (1 << 8 * mark) - 1 in marks:
            break
        if not more or tries == len(lines):
            return values
        at = (at + 1 + (upper & 0xFFFF) % (len(lines) - 1)) % len(lines)
    number = marks.index(upper & (1 << 8 * mark) - 1)
    begin = 1 + (mark + 1) * count + sum(one & 63 for one in sizes[:number])
    row, wide = line[begin : begin + (sizes[number] & 63)], sizes[number] & 64
    if sizes[number] & 128:
        place = int.from_bytes(row, "little")
        head = int.from_bytes(rows[place : place + 2], "little")
        if head == 0xFFFF:
            return numbers(rows[place + 2 : place + 2 + size * weights.classes]).copy()
        wide = head & 0x8000
        row = rows[place + 2 : place + 2 + (head & 0x7FFF) * (size + (2 if wide else 1))]
    length = len(row) // (size + (2 if wide else 1))
    gaps = np.frombuffer(row[: length * (2 if wide else 1)], "<u2" if wide else np.uint8).astype(int)
    values[np.cumsum(gaps + 1) - 1] = numbers(row[length * (2 if wide else 1) :])
    return values


def content_of(weights):
    """Keys and rows of exact weights as `Weights.dump` gives them; the lower halves of keys are made up."""
    lines = weights.arrays()["lines"].reshape(-1, 64)
    marks = [line[1 : 1 + 4 * (line[0] & 127)].copy().view("<u4").tolist() for line in lines]
    every = [upper for some in marks for upper in some]
    keys = np.array([upper << 32 | (at * 2654435761) % 2**32 for at, upper in enumerate(every)], np.uint64)
    rows = [row_of(weights, key) for key in keys.tolist()]
    which = [np.flatnonzero(row).astype(np.uint16) for row in rows]
    numbers = [row[own] for row, own in zip(rows, which, strict=True)]
    return keys, np.array([*map(len, which)], np.uint16), np.concatenate(which), np.concatenate(numbers)[None]


def in_slots(content, classes, pairs=()):
    """The arrays of format 1 and 2: content as `Weights.dump` gives it, and features with whole keys and dense rows."""
    keys, sizes, which, planes = content
    size, rows = 3 * len(keys) // 2 + 8, [np.array([len(pairs) * 2], np.uint32)]
    slots, second, place, first = np.zeros(size, np.uint64), np.zeros((2 * len(pairs), 2), np.uint64), 1, 0
    for key, count in zip(keys.tolist(), sizes.tolist(), strict=True):
        order = np.argsort(which[first : first + count])
        own, numbers = which[first : first + count][order], planes[0, first : first + count][order]
        first += count
        if 4 * count > classes:
            dense = np.zeros(classes, np.float32)
            dense[own] = numbers
            row = np.concatenate([np.array([0xFFFF], np.uint32), dense.view(np.uint32)])
        else:
            halves = np.zeros(2 * (1 + count // 2), np.uint16)
            halves[: 1 + count] = [count, *own]
            row = np.concatenate([halves.view(np.uint32), numbers.astype(np.float32).view(np.uint32)])
        at = ((key & 0xFFFFFFFF) * size) >> 32
        while slots[at]:
            at = (at + 1) % size
        if count:
            slots[at] = key >> 32 << 32 | place
        rows.append(row)
        place += len(row)
    for number, (key, numbers) in enumerate(pairs):
        second[number] = key, place
        rows.append(np.concatenate([np.array([0xFFFF], np.uint32), numbers.view(np.uint32)]))
        place += len(rows[-1])
    return np.concatenate([slots, second.ravel()]), np.concatenate(rows)
