"""What stages find out about words by their keys: tables of keys, and how sentences are written."""

from libc.stdint cimport uint64_t


cdef Py_ssize_t place_in(const uint64_t* table, Py_ssize_t size, uint64_t key) noexcept nogil:
    """Where a key stands in a table in ascending order, -1 where it does not. O(log n).

    Keys are spread evenly: the search begins where the key would stand if they were so exactly, in steps that double.
    """
    cdef Py_ssize_t low, high, middle, step = 8
    if size == 0:
        return -1
    middle = <Py_ssize_t> ((key >> 32) * <uint64_t> size >> 32)
    if table[middle] < key:
        low = middle
        while low + step < size and table[low + step] < key:
            low += step
            step *= 2
        high = min(low + step + 1, size)
    else:
        high = middle + 1
        while high - step > 0 and table[high - step] > key:
            high -= step
            step *= 2
        low = max(high - step, 0)
    while high - low > 1:
        middle = (low + high) // 2
        if table[middle] <= key:
            low = middle
        else:
            high = middle
    return low if table[low] == key else -1


def find(const uint64_t[::1] table not None, const uint64_t[:] keys not None, int[::1] found not None):
    """Where keys stand in a table in ascending order, -1 for those that do not."""
    cdef Py_ssize_t i, size = table.shape[0]
    if keys.shape[0] != found.shape[0]:
        raise ValueError("the arrays do not fit each other")
    for i in range(keys.shape[0]):
        found[i] = <int> place_in(&table[0], size, keys[i]) if size else -1


cdef inline uint64_t mixed(uint64_t key) noexcept nogil:
    """A key spread over all bits. SplitMix64."""
    key += <uint64_t> 0x9E3779B97F4A7C15
    key = (key ^ (key >> 30)) * <uint64_t> 0xBF58476D1CE4E5B9
    key = (key ^ (key >> 27)) * <uint64_t> 0x94D049BB133111EB
    return key ^ (key >> 31)


def keys_of_ends(const uint64_t[:, :] pieces not None, uint64_t[:, ::1] ends not None):
    """Keys of ends that also tell the size, from those of the last letter, the last two and so on: [word, size]."""
    cdef Py_ssize_t i, size
    if pieces.shape[0] != ends.shape[0] or pieces.shape[1] != ends.shape[1]:
        raise ValueError("the arrays do not fit each other")
    for i in range(pieces.shape[0]):
        for size in range(pieces.shape[1]):
            ends[i, size] = mixed(pieces[i, size] ^ <uint64_t> (size + 1))


def longest_ends(const uint64_t[::1] table not None, const uint64_t[:, :] pieces not None, int[::1] found not None):
    """Where the longest end of each word that is in a table stands in it, -1 where none is."""
    cdef Py_ssize_t i, size, at, count = table.shape[0]
    if pieces.shape[0] != found.shape[0]:
        raise ValueError("the arrays do not fit each other")
    for i in range(pieces.shape[0]):
        found[i] = -1
        for size in range(pieces.shape[1] - 1 if count else -1, -1, -1):
            at = place_in(&table[0], count, mixed(pieces[i, size] ^ <uint64_t> (size + 1)))
            if at >= 0:
                found[i] = <int> at
                break


cdef inline uint64_t join(uint64_t key, uint64_t other) noexcept nogil:
    key = (key ^ other) * <uint64_t> 0x9E3779B97F4A7C15
    return (key ^ (key >> 32)) * <uint64_t> 0xC2B2AE3D27D4EB4F


cdef inline uint64_t joined_way(
    uint64_t way, uint64_t word, const uint64_t[:, :] tags, Py_ssize_t at, int count
) noexcept nogil:
    cdef int t
    cdef uint64_t key = join(way + 1, word)
    for t in range(count):
        key = join(key, tags[at, t])
    return key ^ (key >> 29)


def joined(uint64_t way, const uint64_t[:] words not None, const uint64_t[:, :] others not None, uint64_t[::1] keys):
    """Join the key of each word with others; each way to look for words gives different keys."""
    cdef Py_ssize_t i
    if not words.shape[0] == others.shape[0] == keys.shape[0]:
        raise ValueError("the arrays do not fit each other")
    for i in range(words.shape[0]):
        keys[i] = joined_way(way, words[i], others, i, <int> others.shape[1])


def look_up(
    const uint64_t[::1] table not None, const int[::1] numbers not None, const uint64_t[:] forms not None,
    const uint64_t[:] lower not None, const uint64_t[:, :] tags not None, int[::1] found not None,
):
    """The number of each word in a table, -1 where it is not there, looked for in four ways, the surest first.

    As it is written with all its tags, as it is written with its first one, and both again in lower case.
    """
    cdef Py_ssize_t i, at, size = table.shape[0]
    cdef int way
    if not forms.shape[0] == lower.shape[0] == tags.shape[0] == found.shape[0] or numbers.shape[0] != size:
        raise ValueError("the arrays do not fit each other")
    for i in range(forms.shape[0]):
        found[i] = -1
        for way in range(4 if size else 0):
            at = place_in(
                &table[0], size,
                joined_way(way, forms[i] if way < 2 else lower[i], tags, i, 1 if way % 2 else <int> tags.shape[1])
            )
            if at >= 0:
                found[i] = numbers[at]
                break


def written(forms, const int[::1] numbers not None, const int[::1] offsets not None, uint64_t[:] keys not None):
    """For each word how its sentence is written: how long, and how much of it in upper case and in capitals.

    Word w has the form `forms[numbers[w]]`.
    """
    cdef int s, w, letters, upper, capitals, some
    cdef str form
    cdef Py_UCS4 first
    if numbers.shape[0] != keys.shape[0] or offsets[offsets.shape[0] - 1] > numbers.shape[0]:
        raise ValueError("the arrays do not fit each other")
    for s in range(<int> offsets.shape[0] - 1):
        letters = upper = capitals = 0
        for w in range(offsets[s], offsets[s + 1]):
            form = forms[numbers[w]]
            if form:
                first = form[0]
                letters += first.isalpha()
                upper += first.isupper()
                capitals += len(form) > 1 and form.isupper()
        some = max(letters, 1)
        for w in range(offsets[s], offsets[s + 1]):
            keys[w] = 1 + min(3, 4 * upper // some) + 4 * min(3, 4 * capitals // some) + 16 * min(letters // 4, 2)
