"""The set that comes with the package: questions about tasks of the dataset base, spread over its brackets."""

from __future__ import annotations

import json
import lzma
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from herobench.documents import shipped
from herobench.suites.acp.hero.question import HeroQuestion, built

HERO_DATASET = "hero-v2"
FILE = f"{HERO_DATASET}.jsonl.xz"


@cache
def hero_questions() -> Mapping[str, HeroQuestion]:
    """Return the questions by key, in the order of the file."""
    text = lzma.decompress(shipped().joinpath("acp", FILE).read_bytes()).decode("utf-8")
    questions = (built(json.loads(line)) for line in text.splitlines())
    return MappingProxyType({question.key: question for question in questions})
