r"""Makes text from outside fit for a terminal: what would steer it, or would not be seen, is shown as an escape.

A model's name or an error of a server may have control characters in it that move the cursor, colour or hide text, set
a title, or turn the direction of writing. They are shown as Python writes them (`\x1b`, `\u202e`), or in JSON as JSON
does (`\u001b`). Backslashes are left as they are: this is to be read, and not to be read back.
"""

from __future__ import annotations

import json
import re

from herobench.errors import short_line

_LINE_ENDS = "\t\n"
_UNFIT = (
    r"\x00-\x08\x0b-\x1f\x7f-\x9f\xad"  # control characters; the soft hyphen
    r"\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    r"\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufeff\uffa0\ufff0-\ufffb"
    r"\U000110bd\U000110cd\U00013430-\U0001345f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Characters of the categories Cc, Cf, Cs, Zl and Zp, and letters and marks that are drawn as nothing. Variation
selectors of emoji (U+FE0F) are not among them."""
_IN_LINES = re.compile(f"[{_UNFIT}]")
_IN_A_LINE = re.compile(f"[{_UNFIT}{_LINE_ENDS}]")


def visible(text: str) -> str:
    """Return a text fit for one line. Of a very long one the middle is left out."""
    return _IN_A_LINE.sub(_as_python, short_line(text))


def visible_lines(text: str) -> str:
    """Return a fit text that keeps its lines and tabs."""
    return _IN_LINES.sub(_as_python, text)


def visible_json(text: str) -> str:
    """Return a fit JSON text that says the same."""
    return _IN_LINES.sub(_as_json, text)


def _as_python(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode("ascii")


def _as_json(match: re.Match[str]) -> str:
    return json.dumps(match[0])[1:-1]
