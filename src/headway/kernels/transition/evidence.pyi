EVIDENCE: tuple[str, ...]
