"""What others than parsing ask of a configuration: the scores of all classes, as parsing has them."""

from headway.kernels.features.templates cimport Templates, Words
from headway.kernels.transition.workspace cimport Workspace
from headway.kernels.weights.frozen cimport Model

cdef void score_all(const Model* model, const Templates* templates, const Words* words, Workspace space) noexcept nogil
