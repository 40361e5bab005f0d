"""A visitor of a page at which people play, without a browser."""

import http.client
import json
from typing import Any

from herobench.page.server import PageServer


class Browser:
    """Talks to the server as the page does."""

    def __init__(self, server: PageServer) -> None:
        self.server = server

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str | None) -> tuple[int, bytes]:
        """Send one request of this page's own, but for what is said otherwise; None leaves a header out."""
        host = f"127.0.0.1:{self.server.server_port}"
        usual = {"Host": host, "Origin": f"http://{host}", "Content-Type": "application/json"}
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection("127.0.0.1", self.server.server_port, timeout=30)
        connection.putrequest(method, path, skip_host=True)
        for name, value in {**usual, "Content-Length": str(len(body or b"")), **given}.items():
            if value is not None:
                connection.putheader(name, value)
        connection.endheaders(body)
        answer = connection.getresponse()
        self.headers = dict(answer.getheaders())
        found = answer.status, answer.read()
        connection.close()
        return found

    def path(self, name: str = "") -> str:
        return f"/{self.server.token}/{name}"

    def act(self, number: int, action: object) -> Any:
        status, body = self.ask("POST", self.path("act"), json.dumps({"number": number, "action": action}).encode())
        assert status == 200
        return json.loads(body)

    def play(self, actions: list[str]) -> Any:
        state = json.loads(self.ask("GET", self.path("state"))[1])
        for action in actions:
            before, state = state, self.act(state["number"], action)
            # sent twice, as by a second window of the browser: nothing more happens
            assert before["number"] == 1 or state.get("over") or self.act(before["number"] - 1, "quit") == state
        return state
