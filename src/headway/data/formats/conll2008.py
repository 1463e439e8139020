"""CoNLL-2008: dependencies over split words, and semantic roles, which are kept but not read."""

from headway.data.formats.format import Format

COLUMNS = (
    *("ID", "FORM", "LEMMA", "GPOS", "PPOS", "SPLIT_FORM", "SPLIT_LEMMA", "PPOSS"),
    *("HEAD", "DEPREL", "PRED"),
)
FILL = {
    "ID": ("ID",),
    "FORM": ("FORM",),
    "LEMMA": ("LEMMA",),
    "GPOS": ("XPOS", "UPOS"),
    "PPOS": ("XPOS", "UPOS"),
    "SPLIT_FORM": ("FORM",),
    "SPLIT_LEMMA": ("LEMMA",),
    "PPOSS": ("XPOS", "UPOS"),
    "HEAD": ("HEAD",),
    "DEPREL": ("DEPREL",),
}
TREE = {"ID": ("ID",), "FORM": ("SPLIT_FORM", "FORM"), "LEMMA": ("SPLIT_LEMMA", "LEMMA")}
TREE |= {"HEAD": ("HEAD",), "DEPREL": ("DEPREL",)}


def conll2008(tags: tuple[str, ...]) -> Format:
    """CoNLL-2008 with the part-of-speech tags from the given columns."""
    return Format(
        name="conll2008",
        title="CoNLL-2008",
        suffixes=(".conll08", ".conll2008"),
        columns=COLUMNS,
        fields={**TREE, "XPOS": tags},
        fill=FILL,
        open_ended=True,
    )


GOLD = conll2008(("GPOS", "PPOSS"))
PREDICTED = conll2008(("PPOSS", "PPOS"))
