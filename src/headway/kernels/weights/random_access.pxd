"""Memory that is read at random: fetched ahead, and in large blocks on pages of 2 MiB where the system has them.

With small pages nearly every look into a table of some hundred megabytes also misses the processor's table of pages.
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
    """
    void* large_block(size_t size) noexcept nogil
    void prefetch(const void* address) noexcept nogil
