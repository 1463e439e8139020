"""MaltTab: form, tag, head and label, or form and tag alone where there is no tree yet."""

from headway.data.formats.format import Format

MALTTAB = Format(
    name="malttab",
    title="MaltTab",
    suffixes=(".tab", ".malttab"),
    columns=("FORM", "POSTAG", "HEAD", "DEPREL"),
    fields={"FORM": ("FORM",), "XPOS": ("POSTAG",), "HEAD": ("HEAD",), "DEPREL": ("DEPREL",)},
    fill={"FORM": ("FORM",), "POSTAG": ("XPOS", "UPOS"), "HEAD": ("HEAD",), "DEPREL": ("DEPREL",)},
    fewest=2,
)
