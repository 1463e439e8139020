"""CoNLL-U, the format of Universal Dependencies."""

from headway.data.formats.format import FIELDS, Format

CONLLU = Format(
    name="conllu",
    title="CoNLL-U",
    suffixes=(".conllu",),
    columns=FIELDS,
    fields={name: (name,) for name in FIELDS},
    fill={name: (name,) for name in FIELDS},
    comments=True,
    multiwords=True,
    spaces=True,
)
