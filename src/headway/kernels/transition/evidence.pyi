from headway.kernels.arrays import Argument
from headway.kernels.transition.setup import ParserSetup

EVIDENCE: tuple[str, ...]

def spread(setup: ParserSetup, *arguments: Argument) -> None: ...
