"""CoNLL-X, the format of the shared tasks of 2006 and 2007."""

from headway.data.formats.format import STALE, Format

CONLLX = Format(
    name="conllx",
    title="CoNLL-X",
    suffixes=(".conllx", ".conll", ".conll06", ".conll07"),
    columns=("ID", "FORM", "LEMMA", "CPOSTAG", "POSTAG", "FEATS", "HEAD", "DEPREL", "PHEAD", "PDEPREL"),
    fields={
        "ID": ("ID",),
        "FORM": ("FORM",),
        "LEMMA": ("LEMMA",),
        "UPOS": ("CPOSTAG",),
        "XPOS": ("POSTAG",),
        "FEATS": ("FEATS",),
        "HEAD": ("HEAD",),
        "DEPREL": ("DEPREL",),
    },
    fill={
        "ID": ("ID",),
        "FORM": ("FORM",),
        "LEMMA": ("LEMMA",),
        "CPOSTAG": ("UPOS", "XPOS"),
        "POSTAG": ("XPOS", "UPOS"),
        "FEATS": ("FEATS",),
        "HEAD": ("HEAD",),
        "DEPREL": ("DEPREL",),
    },
    # The projective head and label of a word are made from its head and label.
    stale={"HEAD": (*STALE["HEAD"], "PHEAD", "PDEPREL"), "DEPREL": (*STALE["DEPREL"], "PDEPREL")},
)
