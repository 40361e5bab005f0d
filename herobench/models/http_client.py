"""The HTTP client under the SDK: its limits, and the library that it is made of."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit, urlunsplit

import openai

from herobench.models.model_error import ErrorKind, ModelError
from herobench.models.pace import request_left

LARGEST_BODY = 128 << 20
"""The most bytes of a document, or of one line of a stream, that are read."""
_CONNECT_SECONDS = 10.0
_SENT = ("send_request_body.complete", "send_request_body.failed")
_AZURE_VERSION = "api-version"


def open_client(key: str, url: str, timeout: float, connections: int) -> openai.AsyncOpenAI:
    """Return a client for an address, which may have a query, as Azure's deployments do."""
    parts = urlsplit(url)
    query = dict(parse_qsl(parts.query, keep_blank_values=True))
    return openai.AsyncOpenAI(
        api_key=key,
        base_url=urlunsplit((parts.scheme, parts.netloc, parts.path, "", "")),
        default_query=query,
        # Azure takes a key under this name only, and a token under the usual one.
        default_headers={"api-key": key} if _AZURE_VERSION in query else None,
        max_retries=0,  # `RetryPolicy` retries, and the run counts it
        timeout=httpx.Timeout(timeout, connect=min(timeout, _CONNECT_SECONDS), pool=None),
        http_client=openai.DefaultAsyncHttpxClient(
            limits=httpx.Limits(max_connections=connections, max_keepalive_connections=connections),
            event_hooks={"request": [_watch], "response": [_bound]},
        ),
    )


async def _watch(request: httpx.Request) -> None:
    """Tell the pace when a request has been sent."""

    async def trace(event: str, info: Mapping[str, Any]) -> None:
        if event.endswith(_SENT):
            request_left()

    request.extensions = {**request.extensions, "trace": trace}


async def _bound(response: httpx.Response) -> None:
    """Limit what is read of a response. The SDK reads refusals and streams itself, so the limit is put beneath it."""
    read = response.aiter_bytes
    by_line = response.headers.get("content-type", "").startswith("text/event-stream")

    async def bounded(chunk_size: int | None = None) -> AsyncGenerator[bytes, None]:
        size = 0
        async for part in read(chunk_size):
            end = part.rfind(b"\n") + 1 if by_line else 0
            size = len(part) - end + (0 if end else size)
            if size > LARGEST_BODY:
                # asked again it would be paid for again
                told = f"The server's reply has more than {LARGEST_BODY >> 20} MiB"
                raise ModelError(ErrorKind.REFUSED, f"{told}: no more of it is read.", status=response.status_code)
            yield part

    response.aiter_bytes = bounded  # type: ignore[method-assign]


if TYPE_CHECKING:
    import httpx2 as httpx
elif int(openai.__version__.partition(".")[0]) < 3:
    import httpx
else:
    import httpx2 as httpx

__all__ = ["httpx"]
