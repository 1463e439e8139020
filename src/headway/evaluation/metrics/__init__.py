"""The scores themselves, and what each of them counts."""
