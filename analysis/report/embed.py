"""Puts data into an HTML file so that nothing that a model wrote can end its element, or run.

The index is JSON with every `<`, `>` and `&` escaped. Blocks that are opened on demand are deflated and in base64,
whose letters mean nothing to HTML. Both are ASCII, so that the file reads the same in any encoding.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

_ESCAPES: Mapping[int, str] = MappingProxyType({ord(letter): f"\\u{ord(letter):04x}" for letter in "<>&"})


dumped = json.JSONEncoder(ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode
"""Returns a value as JSON in ASCII."""


def as_json(value: Any) -> str:
    """Return a value as JSON that can stand in a script element."""
    return dumped(value).translate(_ESCAPES)


def packed(value: Any) -> str:
    """Return a value as JSON, deflated and in base64, for the browser's DecompressionStream("deflate")."""
    return deflated(dumped(value))


def deflated(text: str) -> str:
    """Return the text of a JSON value likewise."""
    return base64.b64encode(zlib.compress(text.encode("ascii"), 7)).decode("ascii")


def element(name: str, text: str) -> str:
    """Return the element that holds a packed value under a name."""
    return f'<script type="application/octet-stream" id="{name}">{text}</script>\n'


def source_hash(text: str) -> str:
    """Return the name by which a Content-Security-Policy allows one inline script or style, and no other."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}'"
