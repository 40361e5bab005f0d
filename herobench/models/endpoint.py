"""Find the address and the key of a served model: from the options, or from the environment variables of the SDK.

`openai_api` and `runs` call this. Its errors never repeat a key, nor the credentials that an address may hold.
"""

from __future__ import annotations

import os
import re
from urllib.parse import urlsplit

from herobench.errors import UsageError

KEY_NAME = "OPENAI_API_KEY"
URL_NAME = "OPENAI_BASE_URL"
OPENAI = "https://api.openai.com/v1"
_NO_KEY = "none"
"""The key that is sent to servers without keys: the SDK does not work without any."""
_SENDABLE = re.compile(r"[!-~]+")


def address(base_url: str | None) -> str:
    """Return the base URL: the given one, else that of the environment, else OpenAI's."""
    url = base_url or os.environ.get(URL_NAME) or OPENAI
    if not _is_address(url):
        shown = _without_credentials(url)
        raise UsageError(f"A base URL is like http://localhost:8000/v1, and {shown!r} is not: correct --base-url.")
    return url


def _without_credentials(url: str) -> str:
    """Return what may be shown of an address that cannot be parsed: not the parts that may hold a secret."""
    return url.rpartition("@")[2].partition("?")[0]


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        # Reading `port` also checks it: it raises where it is not a number in range.
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # brackets or a port that are none
        return False
    return sound and url.isprintable() and " " not in url


def is_openai(url: str) -> bool:
    """Say whether an address is OpenAI's own."""
    return urlsplit(url).hostname == urlsplit(OPENAI).hostname


def key_in(key_name: str | None) -> str | None:
    """Return the key in the environment variable of this name, or of the usual one."""
    return os.environ.get(key_name or KEY_NAME) or None


def key_for(key_name: str | None, url: str) -> str:
    """Return the key for an address. Raises UsageError where one is needed and none is set."""
    key = key_in(key_name)
    # Checked here because the HTTP library would name the whole header in its own error, and the key with it.
    if key and not _SENDABLE.fullmatch(key):
        told = f"{key_name or KEY_NAME} holds what cannot be a key"
        raise UsageError(f"{told}: it has a line break, a space or a character that is not ASCII. Set it again.")
    if key:
        return key
    if key_name:
        raise UsageError(f"The environment variable {key_name}, which should hold the key, is not set: set it.")
    if is_openai(url):
        raise UsageError(f"Set {KEY_NAME}, or name a server by --base-url; --model oracle needs neither.")
    return _NO_KEY
