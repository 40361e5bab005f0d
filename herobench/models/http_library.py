"""The HTTP library under the SDK, by one name: httpx up to openai 2, httpx2 from openai 3 on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import openai

if TYPE_CHECKING:
    import httpx2 as httpx
elif int(openai.__version__.partition(".")[0]) < 3:
    import httpx
else:
    import httpx2 as httpx

__all__ = ["httpx"]
