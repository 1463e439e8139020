"""What holds of segmenters, taggers and lemmatizers alike: contracts, seeds, files."""

import pytest

import headway
from headway.base.errors import HeadwayError
from headway.data.sample import generate
from headway.data.sources import batches_of
from headway.parsers.contracts import check_family, check_options
from headway.text.lemmatizer.options import LemmatizerOptions
from headway.text.segmenter.options import SegmenterOptions
from headway.text.tagger.options import PretaggerOptions, TaggerOptions
from headway.training.loop import TrainingLoop

STAGES = (SegmenterOptions, PretaggerOptions, TaggerOptions, LemmatizerOptions)


@pytest.fixture(scope="module")
def treebank():
    return list(batches_of(generate(60, seed=1)))


@pytest.mark.parametrize("options", STAGES)
def test_contracts(options, treebank):
    check_options(options)
    if options is not SegmenterOptions:
        check_family(options(passes=2), treebank)


@pytest.mark.parametrize("options", STAGES)
def test_the_seed_decides_and_a_file_gives_the_same_model(options, treebank, tmp_path):
    for name, seed in (("one", 1), ("same", 1), ("other", 2)):
        headway.Parser([TrainingLoop(options(passes=2, seed=seed), treebank).run()]).save(tmp_path / name)
    headway.load(tmp_path / "one").save(tmp_path / "again")
    one, same, other, again = ((tmp_path / name).read_bytes() for name in ("one", "same", "other", "again"))
    assert one == same == again != other


@pytest.mark.parametrize("options", STAGES)
def test_features_of_parsers_are_refused(options, treebank):
    with pytest.raises(HeadwayError):
        options(features="malt-14").begin(treebank)
