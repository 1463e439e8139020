"""See evidence.pxd."""

EVIDENCE = ("least", "arc", "label", "path", "rival")
"""The columns by name."""
