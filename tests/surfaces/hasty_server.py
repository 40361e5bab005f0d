"""Serves an application of a few lines with bounds that a test can reach: no part of HeroBench's own servers.

    python hasty_server.py SECONDS CONNECTIONS      # prints the URL

`/nodelay` tells whether answers leave at once, `/much` sends more than buffers hold, `/late` takes three times as long
as a client may let the server wait.
"""

import asyncio
import socket
import sys
from contextlib import suppress

from herobench.surfaces import http_server

PIECE = b"x" * 2**20


class Seen(http_server.BoundedConnection):
    def connection_made(self, transport):
        super().connection_made(transport)
        sock = transport.get_extra_info("socket")
        self.app_state["nodelay"] = sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


async def app(scope, receive, send):
    if scope["type"] != "http":
        return
    path = scope["path"]
    if path == "/late":
        await asyncio.sleep(3 * http_server._IDLE)
    body = str(scope["state"].get("nodelay")).encode()
    pieces = 64 if path == "/much" else 0
    length = len(body) + pieces * len(PIECE)
    headers = [(b"content-length", str(length).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    for _ in range(pieces):
        await send({"type": "http.response.body", "body": PIECE, "more_body": True})
    await send({"type": "http.response.body", "body": body})


http_server._IDLE, http_server._CONNECTIONS = float(sys.argv[1]), int(sys.argv[2])
http_server.BoundedConnection = Seen
with suppress(KeyboardInterrupt):
    http_server.run_app(app, "127.0.0.1", 0, lambda url: print(url, flush=True))
