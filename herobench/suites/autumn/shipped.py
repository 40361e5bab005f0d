"""The challenges that come with the package: three for each shipped environment."""

from __future__ import annotations

import json
import lzma
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from herobench.documents import shipped
from herobench.suites.autumn.challenge import Challenge, built

DATASET = "autumn-v2"
FILE = f"{DATASET}.jsonl.xz"


@cache
def shipped_challenges() -> Mapping[str, Challenge]:
    """Return the challenges by id, in the order of the file."""
    text = lzma.decompress(shipped().joinpath("autumn", FILE).read_bytes()).decode("utf-8")
    challenges = (built(json.loads(line)) for line in text.splitlines())
    return MappingProxyType({challenge.id: challenge for challenge in challenges})
