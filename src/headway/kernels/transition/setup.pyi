from typing import Any

class Setup:
    def __init__(self, *arguments: Any) -> None: ...
