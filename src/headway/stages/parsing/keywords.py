"""The options of parsing as keywords that type checkers know.

Written by `python tests/train_keywords.py` from the options of parsing; a test keeps it in step with them.
Names that others have registered stand in options as data: `GraphOptions(decoder="theirs")`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict


class ReadKeywords(TypedDict, total=False):
    """Options of parsing.

    force: Also parse words none of which has a tag that the model was trained on. Default: False.
    keep: What the input has and the model is not to find anew, as in tags,lemmas: tags (or upos, xpos, feats),
        lemmas; tokens, which are then words one to one. Default: ''.
    input: What a file is: text, sentences (text with one a line), tokens (one sentence a line, spaces between
        its words), vertical (one word a line) or conllu (any treebank). One of 'text', 'sentences', 'tokens',
        'vertical', 'conllu'. Default: its name and first line tell.
    patterns: In text, take what the model has patterns for, such as addresses and numbers, as one token each.
        Default: True.
    """

    force: bool
    keep: str | Sequence[str]
    input: Literal["text", "sentences", "tokens", "vertical", "conllu"] | None
    patterns: bool


class ParseKeywords(ReadKeywords, total=False):
    """Options of parsing.

    force: Also parse words none of which has a tag that the model was trained on. Default: False.
    keep: What the input has and the model is not to find anew, as in tags,lemmas: tags (or upos, xpos, feats),
        lemmas; tokens, which are then words one to one. Default: ''.
    input: What a file is: text, sentences (text with one a line), tokens (one sentence a line, spaces between
        its words), vertical (one word a line) or conllu (any treebank). One of 'text', 'sentences', 'tokens',
        'vertical', 'conllu'. Default: its name and first line tell.
    patterns: In text, take what the model has patterns for, such as addresses and numbers, as one token each.
        Default: True.
    stages: Find only this, as in tokens,tags: tokens, tags, lemmas, trees. Default: all that the model can
        find.
    threads: How many batches to parse at once. Default: 1.
    keep_heads: Keep heads and labels that the input has, and fill in the rest; read it with partial=True. Where
        it is read with on_error='skip', sentences whose heads are in no tree stay as they are. Default: False.
    confidence: Say how probable each head is to be right, and head and label, as confidence of sentences and
        tokens. Default: False.
    k_best: Give this many trees of each sentence, the best first; graph parsers only. Default: None.
    """

    stages: str | Sequence[str]
    threads: int
    keep_heads: bool
    confidence: bool
    k_best: int | None
