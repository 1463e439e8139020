PLACES: dict[str, int]
