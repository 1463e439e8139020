GROUPS: dict[str, int]
KIND_NUMBERS: dict[str, int]
