"""Other people's parsers, trained by their own defaults on the same files: UDPipe 1 and spaCy, where installed.

UDPipe is there twice: its parser alone, from gold tags, and its whole pipeline, from text to trees. As that trains for
an hour on a small treebank, its models can be kept in a folder.
"""

from __future__ import annotations

import json
import os
import resource
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import blake2b
from importlib import import_module, metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from headway.base.errors import HeadwayError
from headway.base.files import assure_folder, replacing
from headway.data.formats.reading import read
from headway.data.formats.writing import write
from headway.data.sentence import Sentence

if TYPE_CHECKING:
    from headway.lab.tested_parsers import ParserUnderTest


STEPS = 20_000
"""Steps of spaCy's training at most, as in its own configuration."""
SEEN = {"TAG": 1000, "POS": 1000, "MORPH": 2500, "LEMMA": 5000}
"""What spaCy sees of a word beside its form, as all other parsers do, and how many rows each has in its table."""
ROOT = "ROOT"
"""The label of spaCy's roots, whatever the treebank calls them."""
TEXT = ".txt"
"""How the names of files end that hold text."""
TAGS = "headway.gold_tags.v1"
"""The name that spaCy knows `_with_tags` by."""


VARIABLE = "HEADWAY_PEERS"
"""Names a folder of models: a training on the same files with the same options and version is taken from there."""
MODEL, COST = ".model", ".json"
COSTS = ("seconds", "cpu", "mib")


class KeptPeer(NamedTuple):
    """The model of a training; its seconds by the clock and of the processor, and MiB at most."""

    model: bytes
    seconds: float
    cpu: float
    mib: float
    taken: bool = False
    """Whether it was taken from the folder."""

    def described(self) -> dict[str, Any]:
        """For the journal: of a training that was done before, its costs then."""
        return {"training": round(self.cpu, 2), "memory": int(self.mib), "kept": True} if self.taken else {}


def key_of(package: str, texts: Sequence[str], options: Mapping[str, Any]) -> str:
    """A name for a training: a digest of the package with its version, what it learns from, and its options."""
    digest = blake2b(digest_size=12)
    digest.update(json.dumps([package, metadata.version(package), dict(options)], sort_keys=True).encode())
    for text in texts:
        digest.update(blake2b(text.encode()).digest())
    return f"{package}-{digest.hexdigest()}"


def kept(key: str) -> KeptPeer | None:
    """The model that was kept under a key, None where there is none or no folder is named."""
    folder = os.environ.get(VARIABLE)
    if not folder or not Path(folder, key + COST).exists():
        return None
    try:
        cost = json.loads(Path(folder, key + COST).read_text("utf-8"))
        seconds, cpu, mib = (float(cost[name]) for name in COSTS)
        return KeptPeer(Path(folder, key + MODEL).read_bytes(), seconds, cpu, mib, taken=True)
    except (KeyError, OSError, TypeError, ValueError):
        what = f"{Path(folder, key)}: the peer that was kept here cannot be read"
        raise HeadwayError(f"{what}; remove both files, or name another folder in {VARIABLE}") from None


def keep(key: str, peer: KeptPeer) -> KeptPeer:
    """Keep what was just trained, where a folder is named; the cost is written last."""
    folder = os.environ.get(VARIABLE)
    if folder:
        place = assure_folder(folder)
        cost = json.dumps({name: getattr(peer, name) for name in COSTS})
        for name, content in ((MODEL, peer.model), (COST, cost.encode())):
            with replacing(place / f"{key}{name}") as stream:
                stream.write(content)
    return peer


def _library(name: str, package: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise HeadwayError(f"{package} is not installed; pip install {package}") from None


def _text(path: Path) -> str:
    """The sentences of a file as CoNLL-U, which UDPipe wants."""
    if path.suffix == ".conllu":
        return path.read_text("utf-8")
    target = path.with_name(f"{path.name}.conllu")
    write(read(path), target, format="conllu")
    return target.read_text("utf-8")


def _sentences(udpipe: Any, text: str) -> Any:
    """The sentences of a text in CoNLL-U as UDPipe has them."""
    sentences, sentence, error = udpipe.Sentences(), udpipe.Sentence(), udpipe.ProcessingError()
    reader = udpipe.InputFormat.newConlluInputFormat()
    reader.setText(text)
    while reader.nextSentence(sentence, error):
        sentences.append(sentence)
        sentence = udpipe.Sentence()
    return sentences


def _trained(udpipe: Any, train: str, dev: str | None, *stages: str) -> KeptPeer:
    """A model of UDPipe with the options of its tokenizer, tagger and parser, `none` to leave one out."""
    error, began, cpu = udpipe.ProcessingError(), time.perf_counter(), time.process_time()
    held_out = udpipe.Sentences() if dev is None else _sentences(udpipe, dev)
    model: bytes = udpipe.Trainer.train("morphodita_parsito", _sentences(udpipe, train), held_out, *stages, error)
    if error.occurred():
        raise HeadwayError(f"UDPipe: {error.message}; see its manual")
    mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return KeptPeer(model, time.perf_counter() - began, time.process_time() - cpu, mib)


class UDPipe:
    """The parser of UDPipe 1 alone, from gold tags. Straka and Straková (2017)."""

    stages = ("none", "default")
    """The tagger and the parser that it parses with, as its pipeline names them."""

    def __init__(self, train: Path, *, seed: int = 1, **options: Any) -> None:
        """Train by its defaults; the options are those of its parser, as `iterations`. It knows no seed."""
        udpipe = _library("ufal.udpipe", "ufal.udpipe")
        words = ";".join(f"{name}={value}" for name, value in options.items())
        self._open(udpipe, _trained(udpipe, _text(train), None, "none", "none", words), train)

    def _open(self, udpipe: Any, peer: KeptPeer, train: Path) -> None:
        self.library, self.peer = udpipe, peer
        path = train.with_name("udpipe.model")
        self.save(path)
        self.opened = udpipe.Model.load(str(path))

    def parse(self, source: Path, target: Path) -> None:
        """Parse text, where the file is called `.txt`, or the words of a treebank."""
        is_text = source.suffix == TEXT
        content = source.read_text("utf-8") if is_text else _text(source)
        pipeline = self.library.Pipeline(self.opened, "tokenize" if is_text else "conllu", *self.stages, "conllu")
        error = self.library.ProcessingError()
        target.write_text(pipeline.process(content, error), "utf-8")
        if error.occurred():
            raise HeadwayError(f"UDPipe: {error.message}; see its manual")

    def save(self, path: Path) -> None:
        path.write_bytes(self.peer.model)

    def described(self) -> dict[str, Any]:
        return self.peer.described()


class UDPipePipeline(UDPipe):
    """UDPipe 1 from text to trees: tokenizer, tagger with lemmatizer, parser. Straka and Straková (2017).

    The development part is what it calls held-out data, by which it chooses among its models. A training that was kept
    (`VARIABLE`) is not repeated.
    """

    stages = ("", "")

    def __init__(
        self, train: Path, *, dev: str, seed: int = 1, tokenizer: str = "", tagger: str = "", parsing: str = ""
    ) -> None:
        """Train by its defaults, or by the options given for each of the three, as `epochs=5`. It knows no seed."""
        udpipe = _library("ufal.udpipe", "ufal.udpipe")
        peer = trained_pipeline(udpipe, _text(train), _text(Path(dev)), tokenizer, tagger, parsing)
        self._open(udpipe, peer, train)


def trained_pipeline(udpipe: Any, train: str, dev: str, tokenizer: str, tagger: str, parsing: str) -> KeptPeer:
    """A whole model of UDPipe, trained now or before; the texts are CoNLL-U."""
    key = key_of("ufal.udpipe", [train, dev], {"tokenizer": tokenizer, "tagger": tagger, "parser": parsing})
    return kept(key) or keep(key, _trained(udpipe, train, dev, tokenizer, tagger, parsing))


class SpaCy:
    """spaCy's parser from scratch by its configuration for efficiency, which sees gold tags too. Honnibal et al.

    Without them its word vectors are made of forms alone. `SEEN` adds tags, features and lemmas, which the documents
    that it learns from, chooses by and parses bring along.
    """

    def __init__(self, train: Path, *, dev: str, seed: int = 1, steps: int = STEPS) -> None:
        """Train until its score on dev stops growing, as the configuration has it."""
        spacy = _library("spacy", "spacy")
        spacy.registry.augmenters(TAGS, func=lambda: _with_tags)
        config = import_module("spacy.cli.init_config").init_config(lang="xx", pipeline=["parser"], silent=True)
        embedding = config["components"]["tok2vec"]["model"]["embed"]
        embedding |= {"attrs": [*embedding["attrs"], *SEEN], "rows": [*embedding["rows"], *SEEN.values()]}
        config["paths"] |= {name: str(train.with_name(f"{name}.spacy")) for name in ("train", "dev")}
        often = min(steps, config["training"]["eval_frequency"])
        config["training"] |= {"max_steps": steps, "seed": seed, "eval_frequency": often}
        config["system"]["seed"] = seed
        labels = (zip(sentence.deprels, sentence.heads, strict=True) for sentence in read(train))
        self.root = Counter(label for pairs in labels for label, head in pairs if head == 0).most_common(1)[0][0]
        vocabulary = spacy.blank("xx").vocab
        for name, path in (("train", train), ("dev", Path(dev))):
            config["corpora"][name]["augmenter"] = {"@augmenters": TAGS}
            docs = [_doc(vocabulary, sentence) for sentence in read(path)]
            spacy.tokens.DocBin(docs=docs).to_disk(config["paths"][name])
        ready = import_module("spacy.training.initialize").init_nlp(config)
        output = train.with_name("spacy-model")
        output.mkdir()
        with Path("/dev/null").open("w") as silence:
            import_module("spacy.training.loop").train(ready, output, stdout=silence, stderr=silence)
        self.pipeline = spacy.load(output / "model-best")

    def parse(self, source: Path, target: Path) -> None:
        """Parse sentences whose words, tags and ends are given."""
        sentences = list(read(source))
        docs = (_doc(self.pipeline.vocab, sentence, bare=True) for sentence in sentences)
        write(map(partial(_parsed, self.root), sentences, self.pipeline.pipe(docs)), target)

    def save(self, path: Path) -> None:
        self.pipeline.to_disk(path)

    def described(self) -> dict[str, Any]:
        return {}


def _doc(vocabulary: Any, sentence: Sentence, bare: bool = False) -> Any:
    """A sentence with its tags as a document of spaCy, with its tree or without."""
    spacy = _library("spacy", "spacy")
    universal = spacy.parts_of_speech.IDS
    seen = {
        "words": sentence.forms,
        "tags": sentence.xpos,
        "pos": [tag if tag in universal else "" for tag in sentence.upos],
        "morphs": ["" if feats == "_" else feats for feats in sentence.feats],
        "lemmas": sentence.lemmas,
    }
    if bare:
        return spacy.tokens.Doc(vocabulary, **seen, sent_starts=[number == 0 for number in range(len(sentence))])
    heads = [head - 1 if head else place for place, head in enumerate(sentence.heads.tolist())]
    return spacy.tokens.Doc(vocabulary, **seen, heads=heads, deps=sentence.deprels)


def _with_tags(pipeline: Any, example: Any) -> Iterator[Any]:
    """An example whose document to parse has the tags, features and lemmas of the gold one."""
    for token, gold in zip(example.predicted, example.reference, strict=True):
        token.tag_, token.pos_, token.lemma_ = gold.tag_, gold.pos_, gold.lemma_
        token.set_morph(gold.morph)
    yield example


def _parsed(root: str, sentence: Sentence, tokens: Iterable[Any]) -> Sentence:
    """The sentence with the tree of a document; what spaCy calls ROOT has the label that roots have in the treebank."""
    found = list(tokens)
    heads = [0 if token.head.i == token.i else token.head.i + 1 for token in found]
    labels = [root if token.dep_ == ROOT else token.dep_ or "_" for token in found]
    return sentence.replace(heads=heads, deprels=labels)


Peer: TypeAlias = "Callable[..., ParserUnderTest]"
PEERS: dict[str, Peer] = {"udpipe": UDPipe, "udpipe-pipeline": UDPipePipeline, "spacy": SpaCy}
"""Names for the option `parser` of a configuration."""
