"""Where served models are, and with which key: from what was asked for, or from the environment as the SDK has it."""

from __future__ import annotations

import os
import re
from urllib.parse import urlsplit

from herobench.errors import UsageError

KEY_NAME = "OPENAI_API_KEY"
URL_NAME = "OPENAI_BASE_URL"
OPENAI = "https://api.openai.com/v1"
_NO_KEY = "none"
"""What servers without keys are sent."""
_SENDABLE = re.compile(r"[!-~]+")


def address(base_url: str | None) -> str:
    """Where requests go: what was asked for, or what the environment says, or OpenAI."""
    url = base_url or os.environ.get(URL_NAME) or OPENAI
    if not _is_address(url):
        raise UsageError(f"A base URL is like http://localhost:8000/v1, and {_without_credentials(url)!r} is not.")
    return url


def _without_credentials(url: str) -> str:
    """What may be told of an address that cannot be taken apart: not what stands where others have credentials."""
    return url.rpartition("@")[2].partition("?")[0]


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # brackets or a port that are none
        return False
    return sound and url.isprintable() and " " not in url


def is_openai(url: str) -> bool:
    """Whether an address is OpenAI's own."""
    return urlsplit(url).hostname == urlsplit(OPENAI).hostname


def key_in(key_name: str | None) -> str | None:
    """The key that the environment holds, under this name or the usual one."""
    return os.environ.get(key_name or KEY_NAME) or None


def key_for(key_name: str | None, url: str) -> str:
    """The key of an address. Raises UsageError where one is needed and none is set."""
    key = key_in(key_name)
    if key and not _SENDABLE.fullmatch(key):
        told = f"{key_name or KEY_NAME} holds what cannot be a key"
        raise UsageError(f"{told}: there is a line break, a space or a letter in it that cannot be sent.")
    if key:
        return key
    if key_name:
        raise UsageError(f"The environment variable {key_name}, which is to hold the key, is not set.")
    if is_openai(url):
        raise UsageError(f"Set {KEY_NAME}, or name a server by --base-url; --model oracle needs neither.")
    return _NO_KEY
