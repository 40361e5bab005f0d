"""The words of prompts: folders of templates in the package, one file per part.

All words that a model reads are in these files and not in code, so that a digest covers them all: other words give
other scores, and a run records which words it used.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import cache, cached_property
from importlib import resources
from string import Template


class Words:
    """The templates of one folder of `herobench/prompts`."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def fill(self, part: str, /, **facts: object) -> str:
        """Return a part with the facts put in."""
        if not facts and part in self._without_facts:
            return self._without_facts[part]
        return self.templates[part].substitute(facts)

    def digest(self, counts: Callable[[str], bool] = lambda name: True) -> str:
        """Return the SHA-256 of the parts whose names count, and of their names."""
        digest = hashlib.sha256()
        for name, part in self.templates.items():
            if counts(name):
                digest.update(f"{name}\0{part.template}\0".encode())
        return digest.hexdigest()

    @cached_property
    def templates(self) -> Mapping[str, Template]:
        """The parts by name, sorted: the order of a folder depends on the file system, and the digest must not."""
        folder = resources.files("herobench.prompts").joinpath(self._folder)
        files = (file for file in folder.iterdir() if file.name[-3:] == ".md")
        texts = {file.name.removesuffix(".md"): file.read_text(encoding="utf-8").strip("\n") for file in files}
        return {name: Template(texts[name]) for name in sorted(texts)}

    @cached_property
    def _without_facts(self) -> Mapping[str, str]:
        """The parts that take no facts, by name: prompts of many turns repeat them."""
        return {name: part.template for name, part in self.templates.items() if "$" not in part.template}


@cache
def words_of(folder: str) -> Words:
    """Return the words of a folder, which are read once."""
    return Words(folder)
