"""A feature model and the words of a treebank as Python hands them to the kernels: arrays that fit each other."""

from headway.kernels.features.templates cimport Templates, Words


cdef class TemplateTable:
    cdef Templates templates    # `columns` is for those who know the words
    cdef int columns            # how many columns of words they look at
    cdef int of_each            # templates that have a feature for each morphological feature of a word
    cdef object keep


cdef class WordTable:
    cdef Words words            # of all sentences; `labels` is for those who know them
    cdef int count
    cdef int columns
    cdef int most_features      # morphological features of one word
    cdef object keep


cdef Templates templates_over(TemplateTable table, WordTable words) except *
cdef int most_keys(TemplateTable table, WordTable words) noexcept nogil
