"""The file of a page: its text, and the blocks with what each sample and each task has.

The text has one style, one script and one policy, built from the files in `page/` and the suite's panel. The policy
forbids every request, every other script or style, and, in browsers that know Trusted Types, every way to make elements
from text: what a model wrote can only be shown. A large page may load the files of its blocks, whose names it makes
from a number; they hold nothing but base64.

A block holds rows of one kind, one after the other, up to a size. Neighbours have most of their words in common, so
together they compress to a part of what each takes alone. The index says with which row each block begins. Blocks are
kept until the index is known, then put where they belong.

Blocks of a small page stand in the page itself, so that it is one file. Those of a large page stand in files beside it,
which the browser loads when a sample of theirs is opened: a page of hundreds of megabytes would have to be read as a
whole first. A page that was opened from disk may not fetch, but it may load scripts, so these files are scripts.
"""

from __future__ import annotations

import base64
import hashlib
import json
import shutil
import zlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from string import Template
from tempfile import TemporaryFile
from types import TracebackType
from typing import Any, Literal, get_args

from herobench.analysis.reading.contract import Reading
from herobench.data.errors import InputError, Problem

dumped = json.JSONEncoder(ensure_ascii=True, check_circular=False, allow_nan=False, separators=(",", ":")).encode
"""Returns a value as JSON in ASCII. To look for circles, which end in a RecursionError, takes a quarter of the time."""

SHARED_SCRIPTS = ("elements.js", "dom.js", "format.js", "axes.js", "theme.js")
"""The files that pages other than the report use too."""
SCRIPTS = (
    "elements.js",
    "dom.js",
    "format.js",
    "files.js",
    "data.js",
    "axes.js",
    "chart_success.js",
    "chart_cost.js",
    "chart_horizon.js",
    "chart_radar.js",
    "chart_failures.js",
    "heat.js",
    "overview.js",
    "table.js",
    "panels.js",
    "controls.js",
    "replay.js",
    "conversation.js",
    "talk.js",
)
"""The files that come before the suite's panel, in the order in which they build on one another."""
LAST_SCRIPTS = ("sample.js", "pair.js", "theme.js", "main.js")
"""The files that come after it."""
_FROM_HERE = " 'self' file:"
_NONE = "'none'"
END = "</body>\n</html>\n"


def page_before_blocks(index: Mapping[str, Any], reading: Reading) -> str:
    """Return the file up to where the blocks begin, with the panel of the suite that the reading is of."""
    return build_page(index, page_file("style.css") + reading.style, _script(reading))


def page_on(index: Mapping[str, Any], script: str, style: str, charts: Sequence[str] = (), kind: str = "report") -> str:
    """Return a whole page of another kind, drawn by its own script and style with the shared parts of the report.

    It may take charts of the report too, which draw the runs of the index.
    """
    runs = "const RUNS = INDEX.runs;\n" if charts else ""
    shared_text = "\n".join([*map(page_file, SHARED_SCRIPTS), runs, *map(page_file, charts)])
    text = f'(() => {{\n"use strict";\n{shared_text}{script}}})();\n'
    return build_page(index, page_file("style.css") + style, text, kind) + END


def build_page(index: Mapping[str, Any], style: str, script: str, kind: str = "report") -> str:
    """Return a page up to its end, with the only script and style that its policy allows."""
    return Template(page_file("page.html")).substitute(
        kind=kind,
        policy=_policy(style, script, bool(index.get("files"))),
        style=style,
        script=script,
        index=as_json(index),
    )


def _policy(style: str, script: str, has_files: bool) -> str:
    """Return the policy. A page with files beside it may load scripts from where it is, by names that it makes."""
    return "; ".join(
        [
            "default-src 'none'",
            f"script-src {source_hash(script)}{_FROM_HERE if has_files else ''}",
            f"style-src {source_hash(style)}",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            f"trusted-types {'herobench-files' if has_files else _NONE}",
        ]
    )


def _script(reading: Reading) -> str:
    """Return all scripts as one, with nothing of it visible outside. The panel's names are visible in it only."""
    panel = f"{{\n{reading.script}}}\n" if reading.script else ""
    shared_text, last = ("\n".join(map(page_file, names)) for names in (SCRIPTS, LAST_SCRIPTS))
    return f'(() => {{\n"use strict";\n{shared_text}{panel}{last}}})();\n'


@cache
def page_file(name: str) -> str:
    """Return a file of the report's page, or of those that it shares with the pages at which people play."""
    own = files("herobench.analysis.report").joinpath("page", name)
    return (own if own.is_file() else files("herobench.page").joinpath("shared", name)).read_text("utf-8")


def as_json(value: Any) -> str:
    """Return a value as JSON that can stand in a script element."""
    text = dumped(value)
    for letter in "<>&":  # `str.translate` takes fifty times as long
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text


def source_hash(text: str) -> str:
    """Return the name by which a Content-Security-Policy allows one inline script or style, and no other."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}'"


# -- blocks ------------------------------------------------------------------------------------------------------------

Kind = Literal["sample", "given"]
MOST_IN_A_PAGE = 32 << 20
"""The most bytes of blocks that stand in the page itself."""
_A_BLOCK = 1 << 20
"""The characters of rows from which on a block is full."""
_FILE = "blocks-{:04d}.js"


def deflate(text: str) -> str:
    """Return the text of a JSON value, deflated and in base64, for the browser's DecompressionStream("deflate")."""
    return base64.b64encode(zlib.compress(text.encode("ascii"), 6)).decode("ascii")


def block_folder(page: Path) -> Path:
    """Return the folder beside a page for the files of its blocks."""
    return page.with_name(f"{page.stem}_files")


class Blocks:
    """Blocks in a temporary file, one a line, in the order in which they became full."""

    def __init__(self, folder: Path) -> None:
        """Make the temporary file in a folder, on whose disk there has to be room for the page anyway."""
        self._file = TemporaryFile("w+", encoding="ascii", newline="\n", dir=folder)  # noqa: SIM115 - __exit__ closes it
        self.size = 0
        """The number of bytes of the blocks."""
        self.places: dict[Kind, list[tuple[int, int]]] = {kind: [] for kind in get_args(Kind)}
        """For each kind, the number of the first row of each of its blocks, and the number of the block."""
        self._count = 0
        self._rows: dict[Kind, list[str]] = {kind: [] for kind in self.places}
        """The rows of each kind that are in no block yet."""
        self._written = dict.fromkeys(self.places, 0)
        """The number of the others."""

    def __enter__(self) -> Blocks:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def add(self, kind: Kind, row: str) -> None:
        """Add the next row of a kind, as JSON."""
        self._rows[kind].append(row)
        if sum(map(len, self._rows[kind])) >= _A_BLOCK:
            self._write(kind)

    def end(self) -> None:
        """Write the rows that are in no block yet."""
        for kind, rows in self._rows.items():
            if rows:
                self._write(kind)

    def _write(self, kind: Kind) -> None:
        rows, self._rows[kind] = self._rows[kind], []
        text = deflate(f"[{','.join(rows)}]")
        self._file.write(f"{text}\n")
        self.size += len(text)
        self.places[kind].append((self._written[kind], self._count))
        self._written[kind] += len(rows)
        self._count += 1

    def elements(self) -> Iterator[str]:
        """Yield the element of each block, for a page that holds them."""
        for number, text in self._all():
            yield f'<script type="application/octet-stream" id="block{number}">{text}</script>\n'

    def write_files(self, folder: Path) -> None:
        """Write each block into a file of a new folder."""
        folder.mkdir()
        for number, text in self._all():
            (folder / _FILE.format(number)).write_text(f'herobenchBlock({number}, "{text}");\n', "ascii")

    def _all(self) -> Iterator[tuple[int, str]]:
        self._file.seek(0)
        for number, line in enumerate(self._file):
            yield number, line.rstrip("\n")


def refuse_foreign(folder: Path) -> None:
    """Raise InputError if the folder for the blocks has anything else in it, because it will be replaced."""
    if not folder.exists() and not folder.is_symlink():
        return
    ours = folder.is_dir() and not folder.is_symlink()
    if not ours or not all(path.is_file() and path.match("blocks-*.js") for path in folder.iterdir()):
        requirement = "a folder with nothing but the files of a page, which a new page replaces"
        raise InputError([Problem(str(folder), "", requirement, advice="name another file for the page")])


def remove(folder: Path) -> None:
    """Remove a folder of files that is not wanted any more."""
    shutil.rmtree(folder, ignore_errors=True)
