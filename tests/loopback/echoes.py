"""The ways in which a server may give a key back: most of them hide its letters from who looks for them as they are."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping
from html import escape
from urllib.parse import quote

from tests.loopback.behaviour import Behaviour


def _between(text: str) -> Callable[[str], str]:
    """The text put after every fourth letter."""
    return lambda key: text.join(key[start : start + 4] for start in range(0, len(key), 4))


DISGUISES: Mapping[str, Callable[[str], str]] = {
    "plain": lambda key: key,
    "bearer": lambda key: f"Bearer {key}",
    "capitals": str.upper,
    "line_ends": _between("\n"),
    "carriage_returns": _between("\r\n"),
    "spaces": " ".join,
    "no_break_spaces": _between("\u00a0"),
    "zero_width": "\u200b".join,
    "soft_hyphens": _between("\u00ad"),
    "bell": "\x07".join,
    "red": _between("\x1b[31m"),
    "red_by_c1": _between("\x9b1;31m"),
    "red_escaped": _between("\\u001b[31m"),
    "title": lambda key: f"\x1b]0;{key}\x07",
    "link": _between("\x1b]8;;http://a/\x07"),
    "json": lambda key: "".join(f"\\u{ord(letter):04x}" for letter in key),
    "json_twice": lambda key: json.dumps("".join(f"\\u{ord(letter):04X}" for letter in key)),
    "python": lambda key: "".join(f"\\x{ord(letter):02x}" for letter in key),
    "line_ends_escaped": _between("\\n"),
    "percent": lambda key: "".join(f"%{ord(letter):02X}" for letter in key),
    "percent_twice": lambda key: quote("".join(f"%{ord(letter):02x}" for letter in key)),
    "html": lambda key: "".join(f"&#{ord(letter)};" for letter in key),
    "html_hexadecimal": lambda key: "".join(f"&#x{ord(letter):x};" for letter in key),
    "html_twice": lambda key: escape("".join(f"&#{ord(letter)};" for letter in key)),
    "html_names": lambda key: key.replace("_", "&lowbar;").replace(".", "&period;"),
    "html_spaces": _between("&ZeroWidthSpace;"),
    "base64": lambda key: base64.b64encode(key.encode()).decode(),
    "base64_of_the_header": lambda key: base64.b64encode(f"Bearer {key}".encode()).decode(),
    "base64_of_basic": lambda key: base64.b64encode(f":{key}".encode()).decode(),
    "base64_on_lines": lambda key: base64.encodebytes(f"Authorization: Bearer {key}, and more of it".encode()).decode(),
    "base64_for_urls": lambda key: base64.urlsafe_b64encode(f"me:{key}".encode()).decode(),
    "hexadecimal": lambda key: key.encode().hex(),
}
"""The disguises by name: each turns a key into what the server says."""


def echoed(behaviour: Behaviour, key: str) -> str | None:
    """Return what a behaviour says of the key that was sent."""
    return None if behaviour.echo is None else DISGUISES[behaviour.echo](key)
