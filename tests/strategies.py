"""Generated sentences and files for property tests."""

from hypothesis import strategies as st

PLAIN = st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp", "Zs"), exclude_characters="\ufeff")
cell = st.text(PLAIN, min_size=1, max_size=6)
spaced = st.one_of(cell, st.tuples(cell, cell).map(" ".join), st.just("_"))
comment = st.one_of(
    cell.map(lambda text: f"# sent_id = {text}"), cell.map(lambda text: f"# text = {text}"), st.just("#")
)


@st.composite
def trees(draw, min_size=1, max_size=8):
    """Heads of a tree: each word hangs on the root or on a word that was attached before it."""
    size = draw(st.integers(min_size, max_size))
    order = draw(st.permutations(range(1, size + 1)))
    heads = [0] * size
    for at, word in enumerate(order):
        heads[word - 1] = draw(st.sampled_from([0, *order[:at]])) if at else 0
    return heads


@st.composite
def conllu_sentence(draw):
    """The lines of a valid CoNLL-U sentence with comments, multiword tokens and empty nodes."""
    heads = draw(trees())
    lines = draw(st.lists(comment, max_size=3))
    open_until = 0
    for number in range(len(heads) + 1):
        if number:
            if number > open_until and number < len(heads) and draw(st.booleans()):
                open_until = draw(st.integers(number + 1, len(heads)))
                lines.append(f"{number}-{open_until}\t{draw(spaced)}\t" + "_\t" * 7 + draw(spaced))
            cells = [draw(spaced) for _ in range(5)]
            rest = [draw(spaced) for _ in range(3)]
            lines.append("\t".join([str(number), *cells, str(heads[number - 1]), *rest]))
        for empty in range(1, 1 + draw(st.sampled_from([0, 0, 0, 1, 2]))):
            node = [draw(spaced) for _ in range(5)]
            lines.append("\t".join([f"{number}.{empty}", *node, "_", "_", draw(spaced), draw(spaced)]))
    return lines


@st.composite
def conllx_sentence(draw):
    """The lines of a valid CoNLL-X sentence."""
    heads = draw(trees())
    rows = [
        [str(number), *(draw(cell) for _ in range(5)), str(head), *(draw(cell) for _ in range(3))]
        for number, head in enumerate(heads, 1)
    ]
    return ["\t".join(row) for row in rows]


def as_file(sentences):
    """Sentences as the bytes of a file."""
    return "".join("".join(f"{line}\n" for line in lines) + "\n" for lines in sentences).encode()
