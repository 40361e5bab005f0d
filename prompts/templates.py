"""The templates of prompts: one file per part, in one folder per prompt.

Called by `render`, and by runs for the digest. All words of a prompt stand in these files and none in code, so the
digest covers them all: other words give other scores, and a run records which words it used.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from importlib import resources
from string import Template

FOLDER = "one_shot"


def fill(part: str, **facts: object) -> str:
    """Return a part with the facts put in."""
    return _parts()[part].substitute(facts)


def parts() -> tuple[str, ...]:
    """Return the names of all parts, in the order of the digest."""
    return tuple(_parts())


def prompt_digest() -> str:
    """Return the SHA-256 of all parts and their names."""
    digest = hashlib.sha256()
    for name, part in _parts().items():
        digest.update(f"{name}\0{part.template}\0".encode())
    return digest.hexdigest()


@lru_cache(maxsize=1)
def _parts() -> dict[str, Template]:
    files = (
        file for file in resources.files("herobench.prompts").joinpath(FOLDER).iterdir() if file.name[-3:] == ".md"
    )
    texts = {file.name.removesuffix(".md"): file.read_text(encoding="utf-8").strip("\n") for file in files}
    # Sorted, because the order of a folder differs between file systems, and the digest must not.
    return {name: Template(texts[name]) for name in sorted(texts)}
