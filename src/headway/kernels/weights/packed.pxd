"""Weights for parsing in few bytes: read-only arrays that may lie in a mapped file.

`lines` is a hash table of buckets of 64 bytes, so that one line of the cache says all of most features, and that there
is nothing to say of the others:

    features n, and whether another bucket goes on · n marks · n sizes · n rows

The upper half of a feature's key says where its bucket is, and its last bits are the feature's mark. A row of so many
bytes has gaps, by which each class is behind the one before it, and a weight for each. Gaps have one byte, or two where
the size says `WIDE`. Where the size is `LONG`, the row is the number of the byte of `long_rows` where it stands, behind
how many weights it has, of two bytes, or beginning with `ALSO_WIDE`; where that is `DENSE`, it is a weight for each
class.

A weight is a byte, whose square with its sign is multiplied by `scale`: small weights are many, and the largest are
needed. A `scale` of 0 stands for weights that are floats, behind marks of four bytes.

What corrections have taught stands beside that: `learned_rows` for the features that they touched, of 32-bit numbers. A
row is a number of weights n and their classes, of 16 bits, then n floats; where n is `DENSE`, a float for each class.
"""

from libc.stdint cimport uint16_t, uint32_t, uint64_t

from headway.kernels.features.lookup cimport Slots, find
from headway.kernels.weights.hardware cimport (
    add_bytes, add_floats, add_pairs, float_at, number_at, prefetch, short_at, weight_at,
)

cdef extern from *:
    """
    #if defined(__SSE2__)
    #include <emmintrin.h>
    #endif

    /* The place of a mark of two bytes among the first n of at most 20, -1 where it is not there. */
    static inline int mark_among(const unsigned char* marks, int n, uint32_t wanted) {
    #if defined(__SSE2__)
        const __m128i all = _mm_set1_epi16((short) wanted);
        const __m128i* from = (const __m128i*) marks;
        uint32_t same = _mm_movemask_epi8(_mm_packs_epi16(
            _mm_cmpeq_epi16(_mm_loadu_si128(from), all), _mm_cmpeq_epi16(_mm_loadu_si128(from + 1), all)));
        same |= (uint32_t) _mm_movemask_epi8(_mm_packs_epi16(
            _mm_cmpeq_epi16(_mm_loadl_epi64(from + 2), all), _mm_setzero_si128())) << 16;
        same &= (1u << n) - 1;
        return same ? __builtin_ctz(same) : -1;
    #else
        for (int i = 0; i < n; i++) if (short_at(marks + 2 * i) == wanted) return i;
        return -1;
    #endif
    }

    /* The sum of the first n of at most 16 sizes, of which only some bits count. */
    static inline int sum_of_sizes(const unsigned char* sizes, int n) {
    #if defined(__SSE2__)
        const __m128i place = _mm_set_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
        const __m128i first = _mm_and_si128(_mm_cmplt_epi8(place, _mm_set1_epi8((char) n)), _mm_set1_epi8(0x3f));
        const __m128i sums = _mm_sad_epu8(
            _mm_and_si128(_mm_loadu_si128((const __m128i*) sizes), first), _mm_setzero_si128());
        return _mm_cvtsi128_si32(sums) + _mm_extract_epi16(sums, 4);
    #else
        int sum = 0;
        for (int i = 0; i < n; i++) sum += sizes[i] & 0x3f;
        return sum;
    #endif
    }
    """
    int mark_among(const unsigned char* marks, int n, uint32_t wanted) noexcept nogil
    int sum_of_sizes(const unsigned char* sizes, int n) noexcept nogil


cdef enum:
    LINE = 64           # bytes of a bucket
    MOST = 15           # features of a bucket
    MOST_MARKS = 44     # bytes of marks of a bucket, so that 16 sizes behind them are in it
    GOES_ON = 0x80      # beside the number of features of a bucket
    SIZE = 0x3f         # the bits of a size that say how many bytes stand in the bucket
    WIDE = 0x40
    LONG = 0x84
    ALSO_WIDE = 0x8000
    DENSE = 0xffff


cdef struct Model:
    int classes
    int dense               # weights of a dense row
    const int* renumbered   # what the class of a row is now; NULL where it is what it was
    int mark                # bytes of a mark
    int weight              # bytes of a weight
    float scale
    uint64_t buckets
    const unsigned char* lines
    uint64_t extent
    const unsigned char* long_rows
    const Slots* learned    # numbers of the features that corrections touched; NULL where there are none
    const uint32_t* places  # where their rows begin
    const uint32_t* learned_rows


cdef struct Row:
    const unsigned char* data
    int count               # weights, or one of those below
    bint wide               # whether gaps have two bytes


cdef enum:
    IN_LONG_ROWS = -1       # `data` begins with the count
    LEARNED = -2            # a row of `learned_rows`


cdef class PackedWeights:
    cdef readonly int classes
    cdef readonly object lines
    cdef readonly object long_rows
    cdef readonly float scale
    cdef readonly object renumbered     # None, or the new number of each class that rows know
    cdef Slots learned                  # features that corrections touched
    cdef uint64_t[::1] keys             # their keys by number, where their rows begin, and these
    cdef uint32_t[::1] places
    cdef uint32_t[::1] learned_rows
    cdef Model own

    cdef int number_learned(self) except -1
    cdef void point(self) noexcept
    cdef const Model* model(self) noexcept


cdef inline uint64_t length_of(int n, int classes) noexcept nogil:
    """How many 32-bit numbers a row takes that corrections have taught and that says it has n weights."""
    return 1 + classes if n == DENSE else 1 + n // 2 + n


cdef inline uint64_t bucket_of(uint64_t key, uint64_t buckets) noexcept nogil:
    """The bucket of a feature by its key."""
    return ((key >> 32) * buckets) >> 32


cdef inline uint64_t next_bucket(uint64_t at, uint32_t mark, uint64_t buckets) noexcept nogil:
    """Where features stand that have found no room: each mark goes its own way, so that there are no long queues.

    It comes to all buckets, since their number is prime.
    """
    return (at + 1 + (mark & 0xffff) % (buckets - 1)) % buckets if buckets > 1 else 0


cdef inline void fetch_buckets(const Model* model, const uint64_t* keys, int count) noexcept nogil:
    """Let memory bring the buckets of features: `find_rows` is to follow some time later."""
    cdef int i
    for i in range(count):
        prefetch(model.lines + LINE * bucket_of(keys[i], model.buckets))


cdef inline bint find_in_buckets(const Model* model, uint64_t key, Row* row) noexcept nogil:
    """Whether the table has a feature; its row. What a forged table says leads nowhere outside the arrays."""
    cdef uint64_t at = bucket_of(key, model.buckets), _probe, place
    cdef uint32_t wanted = <uint32_t> (key >> 32)
    cdef const unsigned char* line
    cdef const unsigned char* sizes
    cdef int i, n, begin
    for _probe in range(model.buckets):
        line = model.lines + LINE * at
        n = line[0] & 0x7f
        if n > MOST or n * model.mark > MOST_MARKS:
            return False
        if model.mark == 2:
            i = mark_among(line + 1, n, wanted & 0xffff)
        else:
            i = 0
            while i < n and number_at(line + 1 + 4 * i) != wanted:
                i += 1
            i = i if i < n else -1
        if i >= 0:
            sizes = line + 1 + n * model.mark
            begin = 1 + n * (model.mark + 1)
            if begin > LINE:
                return False
            begin += sum_of_sizes(sizes, i)
            if begin + (sizes[i] & SIZE) > LINE:
                return False
            row.data, row.wide, row.count = line + begin, sizes[i] & WIDE, IN_LONG_ROWS
            if sizes[i] == LONG:
                place = number_at(line + begin)
                row.data = model.long_rows + place
                return place + 2 <= model.extent
            row.count = (sizes[i] & SIZE) // (1 + model.weight + (1 if row.wide else 0))
            return True
        if not line[0] & GOES_ON:
            return False
        at = next_bucket(at, wanted, model.buckets)
    return False


cdef inline bint find_row(const Model* model, uint64_t key, Row* row) noexcept nogil:
    """Whether a feature has weights; its row."""
    cdef int number
    if model.learned != NULL:
        number = find(model.learned, key)
        if number >= 0:
            row.data, row.count = <const unsigned char*> (model.learned_rows + model.places[number]), LEARNED
            return True
    return find_in_buckets(model, key, row)


cdef inline int find_rows(const Model* model, const uint64_t* keys, int count, Row* rows) noexcept nogil:
    """Write the rows of features, and return how many features have one; memory begins to bring the long ones."""
    cdef int i, found = 0
    for i in range(count):
        if find_row(model, keys[i], &rows[found]):
            if rows[found].count < 0:
                prefetch(rows[found].data)
                prefetch(rows[found].data + LINE)
            found += 1
    return found


cdef inline void open_long(const Model* model, Row* row) noexcept nogil:
    """Read how many weights a long row has: `DENSE` for all, none where they are cut off."""
    cdef uint64_t size
    row.count = short_at(row.data)
    row.data += 2
    if row.count == DENSE:
        size = <uint64_t> model.dense * model.weight
    else:
        row.wide = row.count & ALSO_WIDE
        row.count &= ~ALSO_WIDE
        size = row.count * <uint64_t> (1 + model.weight + (1 if row.wide else 0))
    if size > <uint64_t> (model.long_rows + model.extent - row.data):
        row.count = 0


cdef inline void add_dense(
    const Model* model, const unsigned char* data, float* scores, const int* wanted, int many
) noexcept nogil:
    """Add the weights of a dense row."""
    cdef int j, c
    if model.renumbered != NULL:
        for c in range(model.dense):
            scores[model.renumbered[c]] += weight_at(data + <size_t> c * model.weight, model.scale)
    elif wanted != NULL:
        for j in range(many):
            c = wanted[j]
            if c < model.dense:
                scores[c] += weight_at(data + <size_t> c * model.weight, model.scale)
    elif model.weight == 1:
        add_bytes(scores, data, model.scale, model.dense)
    else:
        add_floats(scores, data, model.dense)


cdef inline void add_learned(
    const Model* model, const unsigned char* data, float* scores, const int* wanted, int many
) noexcept nogil:
    """Add the weights of a row that corrections have taught."""
    cdef const uint16_t* which = <const uint16_t*> data
    cdef const float* numbers = <const float*> data + 1 + which[0] // 2
    cdef int j
    if which[0] != DENSE:
        for j in range(which[0]):
            scores[which[1 + j]] += numbers[j]
    elif wanted == NULL:
        add_floats(scores, data + 4, model.classes)
    else:
        for j in range(many):
            scores[wanted[j]] += float_at(data + 4 + 4 * <size_t> wanted[j])


cdef inline void add_rows(
    const Model* model, const Row* rows, int found, float* scores, const int* wanted, int many
) noexcept nogil:
    """Add to the scores of classes the rows that were found.

    Only the scores of `many` wanted classes are asked for, of all where `wanted` is NULL; those of others mean nothing
    then.
    """
    cdef int i
    cdef Row row
    for i in range(found):
        row = rows[i]
        if row.count == IN_LONG_ROWS:
            open_long(model, &row)
        if row.count == LEARNED:
            add_learned(model, row.data, scores, wanted, many)
        elif row.count == DENSE:
            add_dense(model, row.data, scores, wanted, many)
        else:
            add_pairs(scores, row.data, row.count, row.wide, model.scale, model.dense, model.renumbered)


cdef inline void evaluate(
    const Model* model, const uint64_t* keys, int count, Row* rows, float* scores
) noexcept nogil:
    """Add to the scores of all classes the weights of features by key. `rows` has room for `count` rows."""
    fetch_buckets(model, keys, count)
    add_rows(model, rows, find_rows(model, keys, count, rows), scores, NULL, 0)
