from typing import Any

SOURCE_MISSING: int
SOURCE_NUMBER: int
SOURCE_HEADS: int
SOURCE_ROWS: int

def render(*arguments: Any) -> bytes: ...
