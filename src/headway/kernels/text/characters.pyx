"""Text as places where it may be cut, and what stands around each of them, as 64-bit keys.

Text is an array of code points in which a run of spaces is one space; sequences are the stretches `offsets[s]` to
`offsets[s + 1]` of it, which neither begin nor end with a space. A place i lies before character i. Chunks are what
spaces separate. A chunk may lead with marks, `("Well`, and end with some, `well.")`; its core is what is between them.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from headway.kernels.memory cimport Memory

cdef enum:
    SPACE = 1
    LOWER_CASE = 2
    UPPER_CASE = 3
    LAST_OF_WORDS = 11      # letters of any kind, digits and marks that go with them
    UNDERSCORE = 95

cdef enum:
    ALL = -1                # sets of what may be decided at a place
    ENDS = 0                # a token ends, perhaps a sentence
    STOP = 1                # a sentence ends

cdef enum:
    BEGIN = 0x51ed270b      # stands before and behind a sequence
    BEHIND = 0x2545f491
    LONGEST_SHAPE = 10
    CASE = 3                # how much of a shape says how a chunk begins
    LONGEST_CHUNK = 24      # parts of longer chunks say nothing: they are never met again where nobody writes spaces

cdef enum:                  # what can be known of a place from characters
    FORM_OF_CHAR, CLASS_OF_CHAR, SPACE_AT, INSIDE_AT, LEFT, RIGHT, LEFT_SHAPE, RIGHT_SHAPE, LEFT_LOWER, RIGHT_LOWER
    OF_CHUNKS = 16          # from here on, what can be known of chunks

cdef enum:
    FORM, LOWER, SHAPE, CORE, CORE_LOWER, CORE_SHAPE, CORE_END, CORE_LENGTH, LEAD, TAIL, BEGINNING, DOTTED, ATTRIBUTES

CHARACTER_WORDS = "FORM SHAPE SPACE INSIDE LEFT RIGHT LEFTSHAPE RIGHTSHAPE LEFTLOWER RIGHTLOWER".split()
CHUNK_WORDS = "FORM LOWER SHAPE CORE CORELOWER CORESHAPE COREEND LENGTH LEAD TAIL CASE DOTTED".split()
ATTRIBUTE_KINDS = {
    **{(word, "CHAR"): kind for kind, word in enumerate(CHARACTER_WORDS)},
    **{(word, "CHUNK"): OF_CHUNKS + kind for kind, word in enumerate(CHUNK_WORDS)},
}
"""What can be known of a place, by the words of the feature language."""


cdef inline uint64_t finished(uint64_t key) noexcept nogil:
    key ^= key >> 32
    key *= <uint64_t> 0x9E3779B97F4A7C15
    key ^= key >> 29
    return key if key else 1


cdef inline uint64_t hashed(const uint32_t* codes, int begin, int end, int salt=0) noexcept nogil:
    """FNV-1a of code points, finished; never 0."""
    cdef uint64_t key = <uint64_t> 0xcbf29ce484222325 + salt
    cdef int i
    for i in range(begin, end):
        key = (key ^ codes[i]) * <uint64_t> 0x100000001b3
    return finished(key)


cdef inline uint64_t shape_of(const uint8_t* classes, int begin, int end, int longest) noexcept nogil:
    """The classes of characters; of the same ones in a row one counts, of upper case up to three."""
    cdef uint64_t key = <uint64_t> 0xcbf29ce484222325
    cdef int i, last = 0, count = 0
    for i in range(begin, end):
        if classes[i] != last or (last == UPPER_CASE and count < 3):
            last = classes[i]
            key = (key ^ <uint64_t> last) * <uint64_t> 0x100000001b3
            count += 1
            if count == longest:
                break
    return finished(key)


cdef inline bint is_word(uint8_t which) noexcept nogil:
    return SPACE < which <= LAST_OF_WORDS or which == UNDERSCORE


def find_places(
    const uint8_t[::1] classes not None, const int[::1] offsets not None, const uint8_t[:, ::1] cuts not None,
    const uint8_t[:, ::1] joins not None, int[::1] start not None, int[::1] places not None, int[::1] sets not None,
):
    """Where the text may be cut: places[start[s] : start[s + 1]] of sequence s, and what may be decided there.

    `cuts[a, b]` says whether it may be cut between characters of classes a and b, `joins[a, b]` whether a token may go
    on over a space between them. The last place of a sequence is its end. Arrays have room for a place for each
    character and each sequence. Returns how many there are.
    """
    cdef int s, i, count = 0
    cdef uint8_t left, right
    with nogil:
        for s in range(<int> offsets.shape[0] - 1):
            start[s] = count
            for i in range(offsets[s] + 1, offsets[s + 1]):
                left, right = classes[i - 1], classes[i]
                if left == SPACE:
                    continue
                if right == SPACE:
                    places[count], sets[count] = i, ALL if joins[left, classes[i + 1]] else ENDS
                elif cuts[left, right]:
                    places[count], sets[count] = i, ALL
                else:
                    continue
                count += 1
            if offsets[s + 1] > offsets[s]:
                places[count], sets[count] = offsets[s + 1], STOP
                count += 1
        start[offsets.shape[0] - 1] = count
    return count


cdef struct Chunk:
    int begin
    int end
    int core                # where its core begins and ends; both at `end` where it has none
    int tail
    uint64_t key[ATTRIBUTES]


cdef void describe(
    Chunk* chunk, const uint32_t* codes, const uint32_t* lower, const uint8_t* classes
) noexcept nogil:
    """Fill in what is known of a chunk."""
    cdef int i
    cdef bint dotted = False
    chunk.core = chunk.begin
    while chunk.core < chunk.end and not is_word(classes[chunk.core]):
        chunk.core += 1
    chunk.tail = chunk.end
    while chunk.tail > chunk.core and not is_word(classes[chunk.tail - 1]):
        chunk.tail -= 1
    for i in range(chunk.core, chunk.tail):
        dotted = dotted or codes[i] == 46
    chunk.key[FORM] = hashed(codes, chunk.begin, chunk.end)
    chunk.key[LOWER] = hashed(lower, chunk.begin, chunk.end)
    chunk.key[SHAPE] = shape_of(classes, chunk.begin, chunk.end, LONGEST_SHAPE)
    chunk.key[CORE] = hashed(codes, chunk.core, chunk.tail)
    chunk.key[CORE_LOWER] = hashed(lower, chunk.core, chunk.tail)
    chunk.key[CORE_SHAPE] = shape_of(classes, chunk.core, chunk.tail, LONGEST_SHAPE)
    chunk.key[CORE_END] = hashed(lower, max(chunk.tail - 3, chunk.core), chunk.tail)
    chunk.key[CORE_LENGTH] = 1 + min(chunk.tail - chunk.core, 6)
    chunk.key[LEAD] = hashed(codes, chunk.begin, chunk.core)
    chunk.key[TAIL] = hashed(codes, chunk.tail, chunk.end)
    chunk.key[BEGINNING] = shape_of(
        classes, chunk.core if chunk.core < chunk.end else chunk.begin, chunk.end, CASE
    )
    chunk.key[DOTTED] = 1 + dotted


cdef uint64_t value_of(
    int kind, int offset, const uint32_t* codes, const uint32_t* lower, const uint8_t* classes, int first, int last,
    int place, const Chunk* chunks, int here, int count
) noexcept nogil:
    """What a column says of a place in the sequence from `first` to `last`; `here` is its chunk, one of `count`."""
    cdef int at
    cdef const Chunk* chunk = chunks + here
    if kind >= OF_CHUNKS:
        at = here + offset
        return BEGIN if at < 0 else BEHIND if at >= count else chunks[at].key[kind - OF_CHUNKS]
    if kind <= CLASS_OF_CHAR:
        at = place - 1 + offset
        if at < first:
            return BEGIN
        if at >= last:
            return BEHIND
        return 1 + <uint64_t> (codes[at] if kind == FORM_OF_CHAR else classes[at])
    if kind == SPACE_AT:
        return place == chunk.end
    if kind == INSIDE_AT:
        return place < chunk.end
    if chunk.end - chunk.begin > LONGEST_CHUNK:
        return 0
    if kind == LEFT or kind == LEFT_LOWER:
        return hashed(codes if kind == LEFT else lower, chunk.begin, place)
    if kind == RIGHT or kind == RIGHT_LOWER:
        return hashed(codes if kind == RIGHT else lower, place, chunk.end)
    if kind == LEFT_SHAPE:
        return shape_of(classes, chunk.begin, place, LONGEST_SHAPE)
    return shape_of(classes, place, chunk.end, LONGEST_SHAPE)


def describe_places(
    const uint32_t[::1] codes not None, const uint32_t[::1] lower not None, const uint8_t[::1] classes not None,
    const int[::1] offsets not None, const int[::1] start not None, const int[::1] places not None,
    const int[:, ::1] columns not None, uint64_t[:, ::1] keys not None,
):
    """Fill `keys[p, c]` with what column c, (kind, offset), says of place p. Linear time."""
    cdef int s, i, p, c, chunk, count, longest = 0
    cdef Memory memory = Memory()
    cdef Chunk* chunks
    for s in range(<int> offsets.shape[0] - 1):
        longest = max(longest, offsets[s + 1] - offsets[s])
    if not codes.shape[0] == lower.shape[0] == classes.shape[0] or start.shape[0] != offsets.shape[0]:
        raise ValueError("the arrays do not fit each other")
    chunks = <Chunk*> memory.take(longest // 2 + 2, sizeof(Chunk))
    with nogil:
        for s in range(<int> offsets.shape[0] - 1):
            count = 0
            i = offsets[s]
            while i < offsets[s + 1]:
                chunks[count].begin = i
                while i < offsets[s + 1] and classes[i] != SPACE:
                    i += 1
                chunks[count].end = i
                describe(chunks + count, &codes[0], &lower[0], &classes[0])
                count += 1
                i += 1
            chunk = 0
            for p in range(start[s], start[s + 1]):
                while chunks[chunk].end < places[p]:
                    chunk += 1
                for c in range(<int> columns.shape[0]):
                    keys[p, c] = value_of(
                        columns[c, 0], columns[c, 1], &codes[0], &lower[0], &classes[0], offsets[s], offsets[s + 1],
                        places[p], chunks, chunk, count
                    )


def token_keys(
    const uint32_t[::1] codes not None, const int[::1] begins not None, const int[::1] ends not None, int longest,
    uint64_t[::1] keys not None,
):
    """A key for each token, or for its last `longest` characters where that is above 0; 0 for tokens not as long."""
    cdef Py_ssize_t t
    cdef const uint32_t* raw = &codes[0] if codes.shape[0] else NULL
    with nogil:
        for t in range(begins.shape[0]):
            if longest == 0:
                keys[t] = hashed(raw, begins[t], ends[t])
            elif ends[t] - begins[t] > longest:
                keys[t] = hashed(raw, ends[t] - longest, ends[t], longest)
            else:
                keys[t] = 0
