"""What others than parsing ask of a configuration: the scores of all classes, as parsing has them."""

from libc.stdint cimport uint32_t, uint64_t

from headway.kernels.features.templates cimport Templates, Words
from headway.kernels.transition.score_cache cimport ScoreCache
from headway.kernels.transition.state cimport State
from headway.kernels.weights.frozen cimport Model

cdef void score_all(
    const Model* model, const State* state, const Templates* templates, const Words* words, ScoreCache* cache,
    uint64_t* keys, uint32_t* places, float* scores,
) noexcept nogil
