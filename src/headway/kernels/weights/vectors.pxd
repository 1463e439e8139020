"""Adding one row of numbers to another, with the widest vectors that the processor has."""

cdef extern from *:
    """
    #if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)
    #define HEADWAY_WIDE __attribute__((target("avx2"), noinline))
    #endif

    #ifdef HEADWAY_WIDE
    HEADWAY_WIDE static void add_row_wide(float* restrict to, const float* restrict row, int count) {
        for (int i = 0; i < count; i++) to[i] += row[i];
    }
    #endif

    /* to[i] += row[i]; the two must not overlap. */
    static inline void add_row(float* restrict to, const float* restrict row, int count) {
    #ifdef HEADWAY_WIDE
        if (__builtin_cpu_supports("avx2")) { add_row_wide(to, row, count); return; }
    #endif
        for (int i = 0; i < count; i++) to[i] += row[i];
    }
    """
    void add_row(float* to, const float* row, int count) noexcept nogil
