"""The text of pages: one style, one script and one policy, built from the files in `page/` and the suite's panel.

The policy forbids every request, every other script or style, and, in browsers that know Trusted Types, every way to
make elements from text: what a model wrote can only be shown. A large page may load the files of its blocks, whose
names it makes from a number; they hold nothing but base64.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from string import Template
from typing import Any

from herobench.analysis.reading.contract import Reading
from herobench.analysis.report.blocks import dumped

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
