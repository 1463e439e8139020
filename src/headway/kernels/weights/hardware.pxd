"""What the processor does for weights: memory fetched ahead, large pages, and rows added with its widest vectors.

Weights are read at random. With small pages nearly every look into a table of some hundred megabytes also misses the
processor's table of pages, so that large blocks lie on pages of 2 MiB where the system has them.
"""

cdef extern from *:
    """
    #include <stdlib.h>
    #include <string.h>
    #if defined(__linux__)
    #include <sys/mman.h>
    #endif

    #if defined(__GNUC__)
    #define prefetch(address) __builtin_prefetch(address)
    #else
    #define prefetch(address) ((void) (address))
    #endif

    /* A block of zeros, to be freed with free. */
    static inline void* large_block(size_t size) {
    #if defined(__linux__) && defined(MADV_HUGEPAGE)
        const size_t page = (size_t) 1 << 21;
        void* block = NULL;
        if (size >= 2 * page && posix_memalign(&block, page, size) == 0) {
            madvise(block, size, MADV_HUGEPAGE);
            memset(block, 0, size);
            return block;
        }
    #endif
        return calloc(size, 1);
    }

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
    void* large_block(size_t size) noexcept nogil
    void prefetch(const void* address) noexcept nogil
    void add_row(float* to, const float* row, int count) noexcept nogil
