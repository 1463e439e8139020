"""What all examples and sentences of a parser have in common."""

from headway.kernels.features.templates cimport Templates, Words
from headway.kernels.transition.classes cimport Classes
from headway.kernels.transition.systems.system cimport System, SystemKernel


cdef class ParserSetup:
    cdef SystemKernel chosen
    cdef System system      # as it was chosen, with the actions that have classes
    cdef Templates templates
    cdef Words words
    cdef Classes classes
    cdef int longest        # words of a sentence
    cdef int most_features  # of a configuration
    cdef object keep
