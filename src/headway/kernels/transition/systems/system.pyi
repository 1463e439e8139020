ACTION_NAMES: tuple[str, ...]
ROOTS: tuple[str, ...]
OURS: dict[str, str]

class TransitionSystem:
    def __init__(
        self,
        *,
        about: str,
        roots: tuple[str, ...],
        projective: bool = True,
        features: str = "default-stack",
        actions: tuple[str, ...] = ...,
    ) -> None: ...
    about: str
    roots: tuple[str, ...]
    projective: bool
    explores: bool
    features: str
    actions: tuple[str, ...]
    def assure_complete(self, name: str) -> None: ...

class SystemKernel:
    def __init__(self, system: TransitionSystem, name: str, root: str, single: bool) -> None: ...
