from headway.kernels.arrays import Array

def conllu(
    codes: Array,
    begins: Array,
    ends: Array,
    last: Array,
    new: Array,
    parts: Array,
    words: bytes,
    word_start: Array,
    first_number: int,
    base: int,
) -> bytes: ...
