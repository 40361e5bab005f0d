"""The words of prompts: templates, a file a part, in a folder a prompt.

Everything that is said stands in these files and nothing of it in code, so that the digest covers it all: other words
make other scores, and the record of a run says which words it was made with.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from importlib import resources
from string import Template

FOLDER = "one_shot"


def words(part: str, **facts: object) -> str:
    """A part with the facts put in."""
    return _parts()[part].substitute(facts)


def parts() -> tuple[str, ...]:
    """The names of all parts, in the order in which the digest goes through them."""
    return tuple(_parts())


def prompt_digest() -> str:
    """SHA-256 of the words that prompts are made of: every part, under its name."""
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
    return {name: Template(texts[name]) for name in sorted(texts)}
