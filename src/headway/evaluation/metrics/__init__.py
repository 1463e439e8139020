"""The metrics. To add one, write a function of a `Comparison` that says what it counts; call it in
`evaluate.counted_items`.

- `attachment`: LAS, UAS and label accuracy; DA, RA, UCM and LCM; the same word by word for two batches.
- `ud`: the thirteen scores of the CoNLL 2018 shared task, and which tags a file has.
- `confidence`: whether confidences come true, and whether errors are among the least sure words.
"""
