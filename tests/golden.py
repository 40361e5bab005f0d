"""The words of commands, held once in files that a reviewer reads: `tests/golden/FOLDER.module.txt`, a file a module.

A test says `golden(herobench("run"))`. Its section of the file has the command, the exit code and both outputs, so the
test repeats no sentence. `make golden` writes the files anew after words were changed, less what no test uses; with
ARGS it takes whole modules.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Protocol

import pytest

from tests.program import Done

FOLDER = Path(__file__).with_name("golden")
RENEWS = os.environ.get("HEROBENCH_GOLDEN") == "renew"
_HEAD = "=" * 8 + " "
_CHANGING = {r"\b\d+(\.\d+)? (s|seconds|ms)\b": r"N \2", r"(//[\w.]+):\d+": r"\1:PORT", r"(TMP/[a-z_-]+)\d+": r"\1"}
_CHANGING |= {r"(among herobench\.suites: there are|to group by: give some of) [\w, -]+": r"\1 SOME"}
"""Patterns of texts that change, with the text that stands for each: times, ports of servers and numbers of temporary
folders change from run to run, and lists of suites with the suites that are installed."""

Sections = dict[str, list[str]]
"""The texts of each test, in their order."""


class Golden(Protocol):
    """Compares what commands said, or texts, with a section; `places` has names for more that differs each time."""

    def __call__(self, *said: Done | str, places: Mapping[str, str] | None = None) -> None: ...


def file_of(module: Path) -> Path:
    return FOLDER / f"{'.'.join(module.relative_to(FOLDER.parent).with_suffix('').parts)}.txt"


@cache
def sections(file: Path) -> Sections:
    texts = f"\n{file.read_text('utf-8')}".split(f"\n{_HEAD}")[1:] if file.is_file() else []
    return {head: body.rstrip("\n").split("\n\n") for head, _, body in (text.partition("\n") for text in texts)}


def transcript(said: Done | str, places: Mapping[str, str]) -> str:
    """A command with all that it said. Paths of this machine have names, and no line is empty or ends in spaces."""
    text = said
    if not isinstance(said, str):
        words = [line for line in (said.stdout, said.stderr and f"--- stderr\n{said.stderr}") if line]
        text = "\n".join(["$ " + " ".join(["herobench", *said.args[1:]]), *words, f"--- exit {said.returncode}"])
    for place in sorted(places, key=len, reverse=True):
        text = text.replace(place, places[place])
    for pattern, name in _CHANGING.items():
        text = re.sub(pattern, name, text)
    return "\n".join(line.rstrip() for line in text.splitlines() if line.strip())


@pytest.fixture(scope="session")
def renewed() -> Iterator[dict[Path, Sections]]:
    """The sections of the files that are written when the session ends."""
    files: dict[Path, Sections] = {}
    yield files
    for file, texts in files.items():
        parts = ("\n\n".join([f"{_HEAD}{name}\n{texts[name][0]}", *texts[name][1:]]) for name in sorted(texts))
        file.write_text("\n\n".join(parts) + "\n", "utf-8")


@pytest.fixture
def golden(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, renewed: dict[Path, Sections]
) -> Iterator[Golden]:
    """Compares what commands said with the file of the test's module."""
    file, name = file_of(request.path), request.node.name
    kept, own = sections(file).get(name, []), list[str]()
    known = {str(tmp_path_factory.getbasetemp()): "TMP", str(FOLDER.parents[1]): "REPO"}
    if "tmp_path" in request.fixturenames:
        known[str(request.getfixturevalue("tmp_path"))] = "DIR"

    def check(*said: Done | str, places: Mapping[str, str] | None = None) -> None:
        for one in said:
            own.append(transcript(one, known | dict(places or {})))
            if not RENEWS:
                assert own[-1:] == kept[len(own) - 1 : len(own)], f"tests/golden/{file.name} differs: see make golden"

    yield check
    if RENEWS:
        renewed.setdefault(file, {})[name] = own
    else:
        assert len(own) >= len(kept), f"tests/golden/{file.name} has more than the test says: see make golden"
