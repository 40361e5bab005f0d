"""A loopback server that speaks the OpenAI protocol, Chat Completions and Responses, and misbehaves on command.

    with Loopback(lambda key, attempt: Kind.RATE_LIMIT if attempt == 1 else Kind.OK, key=r"Task: (\\S+)") as server:
        client = AsyncOpenAI(base_url=server.url, api_key="k")
        ...
        assert [record.behaviour.kind for record in server.records()] == [Kind.RATE_LIMIT, Kind.OK]

Pure functions make the bytes of an answer: `api_request` reads what was asked, `behaviour` chooses what goes wrong,
`model_output` makes text and tool calls, `chat_form` and `responses_form` write these in the form of an API, `faults`
and `http_answer` put the faults in. Only `http_wire` and `server` touch the network.
"""

from tests.loopback.behaviour import Behaviour, Framing, Kind
from tests.loopback.model_output import count_usage, default_answer, tokens
from tests.loopback.server import Counters, Loopback, Record

__all__ = [
    "Behaviour",
    "Counters",
    "Framing",
    "Kind",
    "Loopback",
    "Record",
    "default_answer",
    "tokens",
    "count_usage",
]
