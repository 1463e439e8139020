MOST: dict[str, int]
TAKE_STEP: int
SLOTS: dict[str, int]
