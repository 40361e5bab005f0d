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
    """The templates of one folder of a package."""

    def __init__(self, package: str, folder: str) -> None:
        self._package, self._folder = package, folder

    def fill(self, part: str, /, **facts: object) -> str:
        """Return a part with the facts put in."""
        return self._formats[part].format_map(facts)

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
        folder = resources.files(self._package).joinpath(self._folder)
        files = (file for file in folder.iterdir() if file.name[-3:] == ".md")
        texts = {file.name.removesuffix(".md"): file.read_text(encoding="utf-8").strip("\n") for file in files}
        return {name: Template(texts[name]) for name in sorted(texts)}

    @cached_property
    def _formats(self) -> Mapping[str, str]:
        """The parts as formats, by name: these are filled several times as fast, and a prompt has hundreds of parts."""
        return {name: _as_format(part) for name, part in self.templates.items()}


def _as_format(part: Template) -> str:
    """Return a template as a format of Python, which says the same with the same facts. Raise ValueError for a `$`
    before anything but a name."""
    text, end, pieces = part.template, 0, list[str]()
    for match in part.pattern.finditer(text):
        if match["invalid"] is not None:
            raise ValueError(f"a part of the words has a lone $: {text[match.start() :][:40]!r}")
        name = match["named"] or match["braced"]
        pieces += [_without_fields(text[end : match.start()]), f"{{{name}!s}}" if name else "$"]
        end = match.end()
    return "".join([*pieces, _without_fields(text[end:])])


def _without_fields(text: str) -> str:
    """Return a text as the part of a format that stays as it is."""
    return text.replace("{", "{{").replace("}", "}}")


@cache
def load_words(folder: str, package: str = "herobench.prompts") -> Words:
    """Return the words of a folder of a package, which are read once."""
    return Words(package, folder)
