"""See table.pxd."""

from libc.stdint cimport uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy, memset

import numpy as np

from headway.kernels.weights.hardware cimport add_row, large_block, prefetch

cdef enum:
    SLAB = 1 << 24              # bytes
    HEAD = 64                   # bytes of a slab before its first row
    SMALLEST = 2                # classes that a row has room for
    MOST_CLASSES = 0xfffe       # 0xffff marks a dense row

CLASSES = MOST_CLASSES
"""How many classes there may be."""


cdef int spread(WeightTable* table, uint64_t size) noexcept nogil:
    """Give the hash table this many slots; False where memory is short."""
    cdef uint64_t at
    cdef int i
    cdef uint64_t* slot = <uint64_t*> large_block(size * sizeof(uint64_t))
    if slot == NULL:
        return False
    for i in range(table.count):
        at = table.key[i] & (size - 1)
        while slot[at]:
            at = (at + 1) & (size - 1)
        slot[at] = table.key[i] >> 32 << 32 | <uint64_t> (i + 1)
    free(table.slot)
    table.slot, table.size = slot, size
    return True


cdef int grow(WeightTable* table) noexcept nogil:
    """Room for twice as many features; False where memory is short."""
    cdef size_t room = 2 * <size_t> table.row_room
    cdef uint64_t* keys
    cdef WeightRow* rows = <WeightRow*> large_block(room * sizeof(WeightRow))
    if rows == NULL:
        return False
    memcpy(rows, table.rows, table.row_room * sizeof(WeightRow))
    free(table.rows)
    table.rows = rows
    keys = <uint64_t*> realloc(table.key, room * sizeof(uint64_t))
    if keys == NULL:
        return False
    table.key = keys
    table.row_room *= 2
    return True


cdef int intern(WeightTable* table, uint64_t key) noexcept nogil:
    """The number of a feature, a new one where it has not been seen; -1 where the table is closed or memory short.

    Two keys that begin at the same slot and agree in their upper halves are taken for one: about one in 2³² is.
    """
    cdef uint64_t at = key & (table.size - 1)
    while table.slot[at]:
        if table.slot[at] >> 32 == key >> 32:
            return <int> (<uint32_t> table.slot[at]) - 1
        at = (at + 1) & (table.size - 1)
    if table.closed:
        return -1
    if table.count == table.row_room and not grow(table):
        return -1
    table.key[table.count] = key
    table.count += 1
    table.slot[at] = key >> 32 << 32 | <uint64_t> table.count
    if <uint64_t> table.count * 3 > table.size * 2 and not spread(table, 2 * table.size):
        return -1
    return table.count - 1


cdef int number(WeightTable* table, const uint64_t* keys, int count, int* ids) noexcept nogil:
    """Write the numbers of features to `ids`, without those that a closed table does not know; how many there are."""
    cdef int i, id, found = 0
    cdef uint64_t at
    for i in range(count):
        at = keys[i] & (table.size - 1)
        prefetch(&table.slot[at])
    for i in range(count):
        id = intern(table, keys[i])
        if id >= 0:
            ids[found] = id
            prefetch(&table.rows[id])
            found += 1
    return found


cdef int size_class(const WeightTable* table, int room) noexcept nogil:
    cdef int size = 0
    if room >= table.classes:
        return SIZES - 1
    while SMALLEST << size < room:
        size += 1
    return size


cdef float* cut(WeightTable* table, int room) noexcept nogil:
    """Memory for a row, zeroed, a multiple of eight bytes: where its numbers begin; NULL where there is none."""
    cdef int size = size_class(table, room)
    cdef size_t head = head_of(room) if room < table.classes else 0
    cdef size_t wanted = head + ((<size_t> table.planes * room * sizeof(float) + 7) & ~(<size_t> 7))
    cdef char* block = <char*> table.spare[size]
    if block != NULL:
        table.spare[size] = (<void**> block)[0]
        block -= head
    else:
        if table.slab_used + wanted > table.slab_size:
            block = <char*> large_block(max(SLAB, HEAD + wanted))
            if block == NULL:
                return NULL
            (<char**> block)[0] = table.slab
            table.slab, table.slab_size, table.slab_used = block, max(SLAB, HEAD + wanted), HEAD
        block = table.slab + table.slab_used
        table.slab_used += wanted
    memset(block, 0, wanted)
    return <float*> (block + head)


cdef int add_class(WeightTable* table, WeightRow* row, int which) noexcept nogil:
    """Make a place for a class that the row does not have yet; -1 where memory is short."""
    cdef int room, i, plane
    cdef float* data
    cdef const uint16_t* classes
    if row.size == row.room:
        room = SMALLEST if row.room == 0 else 2 * row.room
        if 2 * room > table.classes:
            room = table.classes
        data = cut(table, room)
        if data == NULL:
            return -1
        if room == table.classes and table.variance_plane:
            for i in range(room):
                data[table.variance_plane * room + i] = table.initial
        if row.room:
            classes = classes_of(row)
            for plane in range(table.planes):
                for i in range(row.size):
                    data[plane * room + (classes[i] if room == table.classes else i)] = row.data[plane * row.room + i]
            if room < table.classes:
                memcpy(<char*> data - head_of(room), classes, row.size * sizeof(uint16_t))
            (<void**> row.data)[0] = table.spare[size_class(table, row.room)]
            table.spare[size_class(table, row.room)] = row.data
        row.data = data
        row.room = room
        if room == table.classes:
            row.size = room
            return which
    i = row.size
    row.size += 1
    classes_of(row)[i] = which
    if table.variance_plane:
        row.data[table.variance_plane * row.room + i] = table.initial
    return i


cdef void add_up(const WeightTable* table, const int* ids, int count, float* scores) noexcept nogil:
    """Add to the scores of all classes the features' weights."""
    cdef int i, j, size, classes = table.classes
    cdef const WeightRow* row
    cdef const float* data
    cdef const uint16_t* which
    for i in range(count):
        row = table.rows + ids[i]
        data = row.data
        if row.room == classes:
            add_row(scores, data, classes)
        elif row.size:
            which = classes_of(row)
            size = row.size
            for j in range(size):
                scores[which[j]] += data[j]


cdef void score(const WeightTable* table, const int* ids, int count, float* scores) noexcept nogil:
    """The same where nobody has asked for the rows before: their memory is fetched together."""
    cdef int i
    for i in range(count):
        prefetch(table.rows[ids[i]].data)
    add_up(table, ids, count, scores)


cdef class Weights:
    """The weights of a model that is being learned."""

    def __cinit__(self, int classes, *, bint variance, bint average, float initial=1.0, int room=1 << 16):
        cdef WeightTable* table = &self.table
        cdef uint64_t size = 2
        if not 0 < classes <= MOST_CLASSES:
            raise ValueError(f"{classes} classes; from 1 to {MOST_CLASSES} are possible")
        table.classes = classes
        table.planes = 1 + variance + average
        table.variance_plane = 1 if variance else 0
        table.sum_plane = table.planes - 1 if average else 0
        table.initial = initial
        table.row_room = max(room, 1)
        while size < 2 * <uint64_t> table.row_room:
            size *= 2
        table.key = <uint64_t*> malloc(table.row_room * sizeof(uint64_t))
        table.rows = <WeightRow*> large_block(table.row_room * sizeof(WeightRow))
        if table.key == NULL or table.rows == NULL or not spread(table, size):
            raise MemoryError

    def __dealloc__(self):
        cdef char* slab = self.table.slab
        free(self.table.key)
        free(self.table.slot)
        free(self.table.rows)
        while slab != NULL:
            self.table.slab = (<char**> slab)[0]
            free(slab)
            slab = self.table.slab

    def __len__(self):
        """Number of features."""
        return self.table.count

    def close(self):
        """From now on leave out features that have not been seen."""
        self.table.closed = True

    def restart(self):
        """Let the average begin anew, with the weights as they are."""
        cdef WeightTable* table = &self.table
        cdef int i
        for i in range(table.count if table.sum_plane else 0):
            if table.rows[i].room:
                memset(table.rows[i].data + table.sum_plane * table.rows[i].room, 0, table.rows[i].room * sizeof(float))

    def keys(self):
        """The keys of the features, by number."""
        return np.array(<uint64_t[:self.table.count]> self.table.key) if self.table.count else np.empty(0, np.uint64)

    def extend(self, const uint64_t[::1] keys):
        """Number features by their keys, in order; returns the numbers."""
        cdef int[::1] found = np.empty(keys.shape[0], np.int32)
        cdef Py_ssize_t i
        for i in range(keys.shape[0]):
            found[i] = intern(&self.table, keys[i])
            if found[i] < 0:
                raise ValueError("the table is closed") if self.table.closed else MemoryError
        return found.base

    def dump(self):
        """All that has been learned, as arrays: keys, classes in each row, the classes, and the planes of numbers."""
        cdef WeightTable* table = &self.table
        cdef long long total = 0, at = 0
        cdef int i, j, plane
        cdef const WeightRow* row
        for i in range(table.count):
            total += table.rows[i].size
        cdef uint16_t[::1] sizes = np.empty(table.count, np.uint16)
        cdef uint16_t[::1] classes = np.empty(total, np.uint16)
        cdef float[:, ::1] planes = np.empty((table.planes, total), np.float32)
        for i in range(table.count):
            row = table.rows + i
            sizes[i] = row.size
            for j in range(row.size):
                classes[at] = j if row.room == table.classes else classes_of(row)[j]
                for plane in range(table.planes):
                    planes[plane, at] = row.data[plane * row.room + j]
                at += 1
        return self.keys(), sizes.base, classes.base, planes.base

    def restore(self, const uint64_t[::1] keys, const uint16_t[::1] sizes, const uint16_t[::1] classes,
                const float[:, ::1] planes):
        """Take back what `dump` gave, into weights that have learned nothing."""
        cdef WeightTable* table = &self.table
        cdef long long at = 0
        cdef int i, plane, place
        cdef WeightRow* row
        if table.count:
            raise ValueError("the weights have been used already")
        if (
            keys.shape[0] != sizes.shape[0] or planes.shape[0] != table.planes or classes.shape[0] != planes.shape[1]
            or np.sum(sizes, dtype=np.int64) != classes.shape[0] or np.max(classes, initial=0) >= table.classes
        ):
            raise ValueError("the arrays do not fit the weights")
        self.extend(keys)
        if table.count != keys.shape[0]:
            raise ValueError("a key stands twice")
        for i in range(<int> sizes.shape[0]):
            row = table.rows + i
            for _ in range(sizes[i]):
                place = place_for(table, row, classes[at])
                if place < 0:
                    raise MemoryError
                for plane in range(table.planes):
                    row.data[plane * row.room + place] = planes[plane, at]
                at += 1
