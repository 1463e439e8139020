"""What the processor does for weights: memory fetched ahead, large pages, and rows added with its widest vectors.

Weights are read at random. With small pages nearly every look into a table of some hundred megabytes also misses the
processor's table of pages, so that large blocks lie on pages of 2 MiB where the system has them.
"""

from libc.stdint cimport uint16_t, uint32_t

cdef extern from *:
    """
    #include <math.h>
    #include <stdint.h>
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

    /* Numbers anywhere in memory, their last byte first, as files have them on every processor. */
    static inline uint16_t short_at(const unsigned char* from) { return (uint16_t) (from[0] | from[1] << 8); }
    static inline uint32_t number_at(const unsigned char* from) {
        return short_at(from) | (uint32_t) short_at(from + 2) << 16;
    }
    static inline float float_at(const unsigned char* from) {
        uint32_t bits = number_at(from);
        float n;
        memcpy(&n, &bits, 4);
        return n;
    }

    /* A weight of packed.pxd: a byte, squared with its sign, or a float where the scale is 0. */
    static inline float square_of(float n, float scale) { return n * fabsf(n) * scale; }
    static inline float weight_at(const unsigned char* from, float scale) {
        return scale != 0 ? square_of((signed char) *from, scale) : float_at(from);
    }

    #ifdef HEADWAY_WIDE
    HEADWAY_WIDE static void add_bytes_wide(
        float* restrict to, const signed char* restrict row, float scale, int count) {
        for (int i = 0; i < count; i++) to[i] += square_of(row[i], scale);
    }
    HEADWAY_WIDE static void add_floats_wide(float* restrict to, const unsigned char* restrict row, int count) {
        for (int i = 0; i < count; i++) to[i] += float_at(row + 4 * (size_t) i);
    }
    #endif

    /* A row of packed.pxd with n weights, behind gaps of one byte, or two where they are wide. */
    static inline void add_pairs(
        float* restrict to, const unsigned char* restrict row, int n, int wide, float scale, int classes,
        const int* restrict renumbered) {
        const unsigned char* numbers = row + (wide ? 2 : 1) * n;
        int c = -1;
        if (!wide && scale != 0 && renumbered == NULL) {
            for (int i = 0; i < n; i++) {
                c += 1 + row[i];
                if (c >= classes) return;
                to[c] += square_of((signed char) numbers[i], scale);
            }
            return;
        }
        for (int i = 0; i < n; i++) {
            c += 1 + (wide ? short_at(row + 2 * i) : row[i]);
            if (c >= classes) return;
            to[renumbered == NULL ? c : renumbered[c]] += weight_at(numbers + (scale != 0 ? 1 : 4) * i, scale);
        }
    }

    /* A dense row of packed.pxd, of bytes or of floats. */
    static inline void add_bytes(float* restrict to, const unsigned char* restrict row, float scale, int count) {
    #ifdef HEADWAY_WIDE
        if (__builtin_cpu_supports("avx2")) { add_bytes_wide(to, (const signed char*) row, scale, count); return; }
    #endif
        for (int i = 0; i < count; i++) to[i] += square_of((signed char) row[i], scale);
    }
    static inline void add_floats(float* restrict to, const unsigned char* restrict row, int count) {
    #ifdef HEADWAY_WIDE
        if (__builtin_cpu_supports("avx2")) { add_floats_wide(to, row, count); return; }
    #endif
        for (int i = 0; i < count; i++) to[i] += float_at(row + 4 * (size_t) i);
    }
    """
    void* large_block(size_t size) noexcept nogil
    void prefetch(const void* address) noexcept nogil
    void add_row(float* to, const float* row, int count) noexcept nogil
    uint16_t short_at(const unsigned char* data) noexcept nogil
    uint32_t number_at(const unsigned char* data) noexcept nogil
    float float_at(const unsigned char* data) noexcept nogil
    float weight_at(const unsigned char* data, float scale) noexcept nogil
    void add_bytes(float* to, const unsigned char* row, float scale, int count) noexcept nogil
    void add_floats(float* to, const unsigned char* row, int count) noexcept nogil
    void add_pairs(
        float* to, const unsigned char* row, int n, bint wide, float scale, int classes, const int* renumbered
    ) noexcept nogil
