"""See rows.pxd."""

from libc.stdint cimport uint16_t
from libc.stdlib cimport realloc
from libc.string cimport memcpy, memset

from headway.kernels.weights.random_access cimport large_block, prefetch
from headway.kernels.weights.table cimport SIZES
from headway.kernels.weights.vectors cimport add_row

cdef enum:
    SLAB = 1 << 24
    SMALLEST = 2


cdef size_t bytes_of(const WeightTable* table, int room) noexcept nogil:
    """The size of a row with this many places, a multiple of eight."""
    cdef size_t size = (<size_t> table.planes * room * sizeof(float) + 7) & ~(<size_t> 7)
    return size + head_of(room) if room < table.classes else size


cdef int size_class(const WeightTable* table, int room) noexcept nogil:
    cdef int size = 0
    if room >= table.classes:
        return SIZES - 1
    while SMALLEST << size < room:
        size += 1
    return size


cdef float* cut(WeightTable* table, int room) noexcept nogil:
    """Memory for a row, zeroed: where its numbers begin; NULL where there is none."""
    cdef int size = size_class(table, room)
    cdef size_t wanted = bytes_of(table, room), head = head_of(room) if room < table.classes else 0
    cdef char* block = <char*> table.spare[size]
    cdef void** slabs
    if block != NULL:
        table.spare[size] = (<void**> block)[0]
        block -= head
    else:
        if table.slab_used + wanted > table.slab_size:
            slabs = <void**> realloc(table.slab_list, (table.slab_count + 1) * sizeof(void*))
            if slabs == NULL:
                return NULL
            table.slab_list = slabs
            block = <char*> large_block(SLAB if wanted < SLAB else wanted)
            if block == NULL:
                return NULL
            table.slab, table.slab_size = block, SLAB if wanted < SLAB else wanted
            table.slab_list[table.slab_count] = table.slab
            table.slab_count += 1
            table.slab_used = 0
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
    cdef const WeightRow* row
    for i in range(count):
        row = table.rows + ids[i]
        if row.data != NULL:
            prefetch(row.data)
    add_up(table, ids, count, scores)
