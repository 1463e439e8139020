"""What everything else builds on.

- `errors`: failures as one sentence, and the words that such sentences are made of
- `files`: compressed files, standard streams, results that appear whole or not at all
- `options`, `stage_options`: options as fields of dataclasses, with their help and their range; those of a training
- `registry`: learners, decoders and other parts by name, ours and other people's
- `imports`: files of the user that register such parts
- `schema`: what a model file may hold
- `folds`: which sentence is held out when
- `by_fields`, `short_repr`: how dataclasses are pickled and printed
- `version`: the version alone
"""
