MOST: dict[str, int]
PLACES: dict[str, int]
SLOTS: dict[str, int]
