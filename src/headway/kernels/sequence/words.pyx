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
