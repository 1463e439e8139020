"""The families of parsers, a folder each, with the same file names in all."""
