"""Features of a configuration: the places where addresses begin are on the stack and in the queue."""

from libc.stdint cimport uint64_t

from headway.kernels.transition.state cimport State, ahead, top
from headway.kernels.features.templates cimport STEP, Templates, View, Words, keys_of, take_values

cdef enum:
    FROM_STACK, FROM_QUEUE


cdef inline void look(const State* state, const Templates* model, const Words* words, View* view) noexcept nogil:
    """Find the nodes of all addresses and the values of all slots."""
    cdef int i
    cdef const int* entry
    for i in range(model.addresses):
        entry = model.address + 3 * i
        if entry[0] != STEP:
            view.node[i] = top(state, entry[1]) if entry[0] == FROM_STACK else ahead(state, entry[1])
    take_values(model, &state.tree, words, view)


cdef inline int extract(
    const State* state, const Templates* model, const Words* words, uint64_t* keys
) noexcept nogil:
    """Write the keys of all features to `keys` and return how many there are."""
    cdef View view
    look(state, model, words, &view)
    return keys_of(model, words, &view, 0, model.templates, keys)
