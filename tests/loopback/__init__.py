"""A loopback server that speaks the OpenAI protocol, Chat Completions and Responses, and misbehaves on command.

    with Loopback(lambda key, attempt: Kind.RATE_LIMIT if attempt == 1 else Kind.OK, key=r"Task: (\\S+)") as server:
        client = AsyncOpenAI(base_url=server.url, api_key="k")
        ...
        assert [record.behaviour.kind for record in server.records()] == [Kind.RATE_LIMIT, Kind.OK]

`LoopbackProcess` is the same in a process of its own, for clients that are killed. Pure functions make the bytes of an
answer: `api_request` reads what was asked, `manners` refuses what strict servers refuse, `script` chooses the behaviour
and the turn, `model_output` makes text and tool calls of them, `chat_form` and `responses_form` write these in the form
of an API, `error_documents` and `http_answer` put the faults in. Only `http_wire` and `server` touch the network.
"""

from tests.loopback.behaviour import Behaviour, Framing, Kind
from tests.loopback.log import Counters, Record
from tests.loopback.manners import Manner
from tests.loopback.model_output import tokens, usage_of
from tests.loopback.process import LoopbackProcess
from tests.loopback.running_server import RunningServer
from tests.loopback.script import default_answer
from tests.loopback.thread import Loopback

__all__ = [
    "Behaviour",
    "Counters",
    "Framing",
    "Kind",
    "Loopback",
    "LoopbackProcess",
    "Manner",
    "Record",
    "RunningServer",
    "default_answer",
    "tokens",
    "usage_of",
]
