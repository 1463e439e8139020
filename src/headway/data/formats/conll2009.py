"""CoNLL-2009: gold and predicted columns side by side, and semantic roles, which are kept but not read."""

from headway.data.formats.format import Fields, Format

COLUMNS = (
    *("ID", "FORM", "LEMMA", "PLEMMA", "POS", "PPOS", "FEAT", "PFEAT"),
    *("HEAD", "PHEAD", "DEPREL", "PDEPREL", "FILLPRED", "PRED"),
)
FILL = {
    "ID": ("ID",),
    "FORM": ("FORM",),
    "LEMMA": ("LEMMA",),
    "PLEMMA": ("LEMMA",),
    "POS": ("XPOS", "UPOS"),
    "PPOS": ("XPOS", "UPOS"),
    "FEAT": ("FEATS",),
    "PFEAT": ("FEATS",),
    "HEAD": ("HEAD",),
    "DEPREL": ("DEPREL",),
}
WORDS: Fields = {"ID": ("ID",), "FORM": ("FORM",)}
GOLD_TAGS: Fields = {"LEMMA": ("LEMMA",), "XPOS": ("POS",), "FEATS": ("FEAT",)}
PREDICTED_TAGS: Fields = {"LEMMA": ("PLEMMA",), "XPOS": ("PPOS",), "FEATS": ("PFEAT",)}
GOLD_TREE: Fields = {"HEAD": ("HEAD",), "DEPREL": ("DEPREL",)}
PREDICTED_TREE: Fields = {"HEAD": ("PHEAD",), "DEPREL": ("PDEPREL",)}


def conll2009(tags: Fields, tree: Fields) -> Format:
    """CoNLL-2009 with lemma, tag and features from one set of columns and the tree from another.

    Neither tree makes the other one stale: PHEAD and PDEPREL are what some parser said, side by side with the gold
    tree and not made from it, so that each stays when the other is replaced.
    """
    return Format(
        name="conll2009",
        title="CoNLL-2009",
        suffixes=(".conll09", ".conll2009"),
        columns=COLUMNS,
        fields={**WORDS, **tags, **tree},
        fill=FILL,
        open_ended=True,
    )


GOLD = conll2009(GOLD_TAGS, GOLD_TREE)
PREDICTED = conll2009(PREDICTED_TAGS, PREDICTED_TREE)
PREDICTED_TAGS_ONLY = conll2009(PREDICTED_TAGS, GOLD_TREE)
