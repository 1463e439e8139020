"""The sample treebank: sentences of a small English-like language, generated from a grammar written for headway.

Data for demonstrations, tests and scaling runs, in any amount: an unbounded vocabulary, attachments that only
words can decide, crossing arcs, multiword tokens, empty nodes, and as many labels as wanted.

- `english.grammar`: the rules; add a construction there, as a line or two
- `english.lexicon`, `english.function_words`: the words
- `words`: inflection, invented stems
- `lexicon`: kinds of words, and what they like to stand with
- `derivation`: makes sentences of rules, words and chance
- `writing`: what makes text hard to cut; CoNLL-U
- `brackets`: trees in the style of the Penn Treebank
- `treebank`: `Sample`, its options, its labels, and its files; `generate`: its sentences
"""

from headway.data.sample.treebank import Sample, generate, generate_text

__all__ = ["Sample", "generate", "generate_text"]
