"""Know the shipped files that were checked when they were last changed, so that no start has to check them again.

`world_data/checked.json` has their digests, and a test checks the files in full. A file that was changed since is
checked at each start, until its new digest is there.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from herobench.documents import shipped

if TYPE_CHECKING:
    from collections.abc import Mapping
    from importlib.resources.abc import Traversable


def were_checked(name: str, files: Iterable[Traversable]) -> bool:
    """Return whether files are byte for byte those that were checked together under a name."""
    return name in _digests() and digest_of(files) == _digests()[name]


def digest_of(files: Iterable[Traversable]) -> str:
    """Return the digest of some files in their order."""
    each = (hashlib.sha256(file.read_bytes()).digest() for file in files)
    return hashlib.sha256(b"".join(each)).hexdigest()


@cache
def _digests() -> Mapping[str, str]:
    digests: Mapping[str, str] = json.loads(shipped().joinpath("checked.json").read_bytes())
    return digests
