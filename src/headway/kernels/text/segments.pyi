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
def token_keys(codes: Array, begins: Array, ends: Array, longest: int, keys: Array) -> None: ...
