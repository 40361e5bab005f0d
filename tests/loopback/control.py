"""The control endpoint, for a server in another process: what the log says, and what the script is from now on.

GET  /counters   the counts alone, which stay cheap however much was asked
GET  /log        the counts and all records
POST /script     the body, a table of behaviours, is the script from now on
POST /hold       from now on answers wait ...
POST /release    ... until now
POST /reset      forget the records, the counts and how often each key was asked
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from tests.loopback.http_answer import HttpAnswer, json_answer
from tests.loopback.http_wire import HttpRequest, chunks, head
from tests.loopback.log import Log
from tests.loopback.script import ScriptTable

if TYPE_CHECKING:
    from tests.loopback.server import Server


def control(server: Server, request: HttpRequest) -> HttpAnswer | None:
    """The answer to a request that is for us and not for the model."""
    match request.method, request.path:
        case "GET", "/counters":
            return json_answer(200, asdict(server.log.counters), 0)
        case "GET", "/log":
            return _log(server.log)
        case "POST", "/script":
            return _script(server, request.body)
        case "POST", "/hold":
            server.gate.clear()
        case "POST", "/release":
            server.gate.set()
        case "POST", "/reset":
            server.log.reset()
        case _:
            return None
    return json_answer(200, {}, 0)


def _log(log: Log) -> HttpAnswer:
    """The log in chunks, a record each: it may be long, and what was asked meanwhile is not to wait for all of it."""
    counters = f'{{"counters": {json.dumps(asdict(log.counters))}, "records": ['.encode()
    records = (json.dumps(record.as_json()).encode() for record in log.records)
    parts = chunks([counters, *(b"," * bool(number) + record for number, record in enumerate(records)), b"]}"])
    return HttpAnswer(tuple(parts), head(200, {"Content-Type": "application/json", "Transfer-Encoding": "chunked"}))


def _script(server: Server, body: bytes) -> HttpAnswer:
    try:
        server.script = ScriptTable.of(json.loads(body))
    except (ValueError, TypeError, AttributeError) as problem:
        return json_answer(400, {"error": {"message": str(problem)}}, 0)
    return json_answer(200, {}, 0)
