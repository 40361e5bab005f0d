"""A loopback server that speaks the OpenAI protocol, Chat Completions and Responses, and misbehaves on command.

    with Loopback(lambda key, attempt: Kind.RATE_LIMIT if attempt == 1 else Kind.OK, key=r"Task: (\\S+)") as server:
        client = AsyncOpenAI(base_url=server.url, api_key="k")
        ...
        assert [record.behaviour.kind for record in server.records()] == [Kind.RATE_LIMIT, Kind.OK]

`LoopbackProcess` is the same in a process of its own, for clients that are killed. The bytes of an answer are made by
pure functions: `request`, what was asked; `script`, what it meets with; `reply`, what is said; `chat` and `responses`,
in which form; `errors` and `answer`, what goes wrong. Only `wire` and `server` touch the network.
"""

from tests.loopback.behaviour import Behaviour, Kind
from tests.loopback.log import Counters, Record
from tests.loopback.model_output import tokens, usage_of
from tests.loopback.process import LoopbackProcess
from tests.loopback.running_server import RunningServer
from tests.loopback.script import default_answer
from tests.loopback.thread import Loopback

__all__ = [
    "Behaviour",
    "Counters",
    "RunningServer",
    "Kind",
    "Loopback",
    "LoopbackProcess",
    "Record",
    "default_answer",
    "tokens",
    "usage_of",
]
