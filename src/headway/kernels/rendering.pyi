from typing import Any

SOURCE_MISSING: int
SOURCE_NUMBER: int

def render(*arguments: Any) -> bytes: ...
