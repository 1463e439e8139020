from typing import Any

from numpy.typing import NDArray

def conllu(
    codes: NDArray[Any],
    begins: NDArray[Any],
    ends: NDArray[Any],
    last: NDArray[Any],
    new: NDArray[Any],
    parts: NDArray[Any],
    words: bytes,
    word_start: NDArray[Any],
    first_number: int,
    base: int,
) -> bytes: ...
def token_keys(
    codes: NDArray[Any], begins: NDArray[Any], ends: NDArray[Any], longest: int, keys: NDArray[Any]
) -> None: ...
