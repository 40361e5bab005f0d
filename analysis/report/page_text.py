"""The page itself, put together from the files in `page/`: one style, one script, one policy that allows just these.

The policy forbids every request, every other script or style, and, where a browser knows Trusted Types, every way of
making elements from text: whatever a model wrote can only be shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from string import Template
from typing import Any

from herobench.analysis.report.embed import as_json, source_hash

SCRIPTS = (
    "dom.js",
    "format.js",
    "data.js",
    "axes.js",
    "chart_success.js",
    "chart_failures.js",
    "heat.js",
    "overview.js",
    "table.js",
    "map.js",
    "hero.js",
    "step.js",
    "controls.js",
    "player.js",
    "code.js",
    "sample.js",
    "main.js",
)
"""In the order in which they build upon one another."""
END = "</body>\n</html>\n"


def page_before_blocks(index: Mapping[str, Any]) -> str:
    """The file up to where the blocks begin."""
    style, script = _file("style.css"), _script()
    return Template(_file("page.html")).substitute(
        policy=_policy(style, script), style=style, script=script, index=as_json(index)
    )


def _policy(style: str, script: str) -> str:
    return "; ".join(
        [
            "default-src 'none'",
            f"script-src {source_hash(script)}",
            f"style-src {source_hash(style)}",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        ]
    )


@cache
def _script() -> str:
    """All scripts as one, with nothing of it visible to anything else."""
    return '(() => {\n"use strict";\n' + "\n".join(map(_file, SCRIPTS)) + "})();\n"


@cache
def _file(name: str) -> str:
    return files("herobench.analysis.report").joinpath("page", name).read_text("utf-8")
