"""Reads the blocks of a page as its script does."""

from __future__ import annotations

import base64
import json
import re
import zlib
from typing import Any


def read_index(page: str) -> Any:
    (found,) = re.findall(r'<script type="application/json" id="index">(.*?)</script>', page)
    return json.loads(found)


def read_rows(page: str, kind: str) -> list[Any]:
    """All rows of a kind, such as `sample`, of a page that holds its blocks."""
    return [row for _, number in read_index(page)["blocks"][kind] for row in inflated(_text(page, f"block{number}"))]


def inflated(text: str) -> Any:
    return json.loads(zlib.decompress(base64.b64decode(text)))


def _text(page: str, name: str) -> str:
    return page.partition(f'<script type="application/octet-stream" id="{name}">')[2].partition("</script>")[0]
