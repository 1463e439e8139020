"""What the grammar selects from where the governing word has no preference of its own; notation as in `entry.py`."""

GROUPS = {
    "someone": "person 5, name 3, he 4, they 2",
    "anyone": "person 10, name 2, he, they",
    "things": "document 3, food 2, garment 2, tool 2, container 2, optics, utensil, animal",
}
"""Several kinds under one name."""

INVERSE = {"doing": ("verb", "nsubj"), "undergoing": ("transitive", "obj")}
"""For a noun, the verbs that it is a good subject of, and a good object of: by their tag and their selection."""

MODIFYING = ("amod", "compound", "nmod", "obl", "recipient", "about", *INVERSE)
"""Selections of modifiers, which attach to the nearest word that takes them."""

TRANSITIVE = (
    "perceive 6, handle 5, make 4, eat 5, put 5, take 5, give 10, fill 5, read 5, meet 5, discuss 4, affect 3, "
    "govern 4, own 2, phrasal 18"
)
INTRANSITIVE = "rise 4, talk 4, move 8, stay 3, arrive 3, happen 2"

SELECTIONS = {
    "predicate": f"{TRANSITIVE}, {INTRANSITIVE}, say 7, tell 4, urge 4, try 6, regard 9, seem 8, "
    "size, colour, age, quality 3, mood 5, attitude 5, nation, person 3",
    "embedded": f"{TRANSITIVE}, {INTRANSITIVE}, try 3, seem 4, regard 4, quality 3, mood 2, attitude 2, person 2",
    "questioned": f"{TRANSITIVE}, {INTRANSITIVE}, try 2, mood 2, attitude 2",
    "transitive": TRANSITIVE,
    "intransitive": INTRANSITIVE,
    "tangible": "handle 5, make 4, eat 5, take 5, read 5",
    "action": "perceive 4, handle 5, make 4, eat 5, put 4, take 5, give 4, fill 3, read 5, meet 4, discuss 3, "
    "phrasal 8, talk 3, move 7, stay 3",
    "setting": "in: town, dayparts 4, season; at: event 2; after: event 4; during: event 4; before: event 3; "
    "until: event 2; on: weekday 3",
}
