"""Features of arcs and labels, one by one in plain Python: which weights they stand for."""

import math
from collections import Counter
from functools import cache

from headway.features.language import Feature
from headway.kernels.text.encode import key_of

MASK = (1 << 64) - 1
NO_WORD, THE_ROOT, NO_LABEL = 0x51ED270B, 0x2545F491, 0x632BE5AB
UNMEASURED = 0xD6E8FEB86659FD93
ROLES = ("PARENT", "CHILD", "SIBLING", "BETWEEN")
KINDS = {(False, False): 0, (False, True): 1, (True, False): 2, (True, True): 3}
DIRECTED = 4
FIELDS = {"FORM": "forms", "LEMMA": "lemmas", "UPOS": "upos", "XPOS": "xpos", "FEATS": "feats"}


def mix(key, value):
    key = ((key ^ value) * 0x9E3779B97F4A7C15) & MASK
    return key ^ (key >> 32)


@cache
def hashed(text):
    return key_of(text.encode())


def step(node, how, n, heads=None):
    """The node that a step leads to, None where there is none; `heads[w]` is the head of word w."""
    if node is None:
        return None
    if how == "pw":
        return node - 1 if node > 1 else None
    if how == "fw":
        return node + 1 if 0 < node < n else None
    if how == "h":
        return heads[node] if node else None
    children = [word for word in range(1, n + 1) if heads[word] == node]
    if how in ("ls", "rs"):
        family = [word for word in range(1, n + 1) if heads[word] == heads[node]] if node else []
        beside = [word for word in family if (word < node if how == "ls" else word > node)]
        return (beside[-1] if how == "ls" else beside[0]) if beside else None
    side = [word for word in children if (word < node if how == "ld" else word > node)]
    return (side[0] if how == "ld" else side[-1]) if side else None


def value(sentence, attribute, node):
    if node is None:
        return NO_WORD
    if node == 0:
        return THE_ROOT
    if attribute.startswith("PREFIX"):
        return hashed(sentence.forms[node - 1][: int(attribute[6:])])
    return hashed(getattr(sentence, FIELDS[attribute])[node - 1])


def steps_long(distance):
    return distance - 1 if distance <= 5 else 5 if distance <= 10 else 6


def singles(sentence, node):
    cell = sentence.feats[node - 1] if node else "_"
    return [hashed(one) for one in cell.split("|")] if cell != "_" else []


class Reference:
    """Which weights the features of a model stand for."""

    def __init__(self, features, bits, label_bits=0, labels=()):
        self.bits, self.label_bits, self.labels = bits, label_bits, list(labels)
        self.width = max(4, math.ceil(math.log2(max(1, len(self.labels)))))
        self.cores = {}
        self.of_labels, self.seeds = [], {}
        for feature in features:
            names = [term.attribute for term in feature.terms]
            if "LABEL" in names:
                self.of_labels.append(feature)
                self.seeds[feature] = hashed(str(feature))
                continue
            core = tuple(sorted(term for term in feature.terms if term.attribute not in ("SIDE", "DISTANCE")))
            self.cores.setdefault(core, set()).add(("SIDE" in names, "DISTANCE" in names))

    def part(self, sentence, parent, child, sibling=None):
        """The weights of an arc, or of a child beside its sibling (the parent where it has none), with their counts."""
        found = Counter()
        start = parent if sibling is None else sibling
        measured = parent != 0 if sibling is None else sibling != parent
        side = int(child > parent)
        for core, ways in self.cores.items():
            places = {term.addresses[0].place for term in core}
            if ("SIBLING" in places) != (sibling is not None):
                continue
            both = {(True, False), (True, True)} <= ways
            for way in ways:
                kind = DIRECTED if both and way[0] else KINDS[way]
                length = steps_long(abs(child - start)) if measured else 7
                if way == (True, True):
                    place = 2 + (2 * length + side if measured else side)
                else:
                    place = {(False, False): 0, (False, True): length, (True, False): side}[way]
                for key in self.keys(sentence, core, kind, parent, child, sibling):
                    key ^= 0 if measured else UNMEASURED
                    found[(key >> (64 - self.bits + 4)) * 16 + (key + place) % 16] += 1
        return found

    def keys(self, sentence, core, kind, parent, child, sibling):
        """The key of each feature of a template: one, or as many as there are words in between or features."""
        seed = hashed(f"{Feature(core)} {kind}")
        words = {"PARENT": parent, "CHILD": child, "SIBLING": sibling if sibling != parent else None}
        between = {term.addresses[0].place for term in core} & {"BETWEEN"}
        for word in range(min(parent, child) + 1, max(parent, child)) if between else [None]:
            keys = [0]
            for role, place in enumerate(ROLES):
                terms = [term for term in core if term.addresses[0].place == place]
                if not terms and (core or place != "PARENT"):
                    continue
                node = word if place == "BETWEEN" else words[place]
                key = mix(seed, role + 1)
                for term in terms:
                    if term.attribute == "FEAT":
                        continue
                    at = node
                    for how in term.addresses[0].path:
                        at = step(at, how, len(sentence))
                    key = mix(key, value(sentence, term.attribute, at))
                if any(term.attribute == "FEAT" for term in terms):
                    keys = [one ^ mix(key, single) for one in keys for single in singles(sentence, node)]
                else:
                    keys = [one ^ key for one in keys]
            yield from keys

    def label_keys(self, sentence, heads, known, child):
        """The keys of a label's features; `known[w]` is the label of word w or None."""
        nodes = {"PARENT": heads[child], "CHILD": child}
        for feature in self.of_labels:
            key, single = self.seeds[feature], [None]
            for term in feature.terms:
                at = []
                for address in term.addresses:
                    node = nodes[address.place]
                    for how in address.path:
                        node = step(node, how, len(sentence), heads)
                    at.append(node)
                if term.attribute == "LABEL":
                    continue
                if term.attribute == "FEAT":
                    single = singles(sentence, at[0])
                elif at[0] is None:
                    key = mix(key, NO_WORD)
                elif term.attribute == "DEP":
                    name = known.get(at[0])
                    key = mix(key, NO_LABEL if name is None else hashed(self.labels[name]))
                elif term.attribute == "SIDE":
                    key = mix(key, int(at[0] < at[1]))
                else:
                    key = mix(key, value(sentence, term.attribute, at[0]))
            for one in single:
                yield key if one is None else mix(key, one)

    def label_places(self, sentence, heads, known, child, label):
        """The weights of a label."""
        return self.places_of(self.label_keys(sentence, heads, known, child), label)

    def places_of(self, keys, label):
        """The weights that keys of a label's features stand for."""
        rows, width = self.label_bits - self.width, 1 << self.width
        return Counter((1 << self.bits) + (key >> (64 - rows)) * width + (key + label) % width for key in keys)
