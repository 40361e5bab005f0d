"""Choose the behaviour for a request: by its key, and by the number of the try with that key, from 1 on.

A script is any function of the two. A `ScriptTable` can be written as JSON, for a server in another process:

    {"default": "ok", "keys": {"task-7": ["rate_limit", {"kind": "reset", "delay": 0.1}, "ok"]}, "delay": 0.01}

A list is gone through try by try, and its last behaviour stays. The `delay` comes on top of each behaviour's own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tests.loopback.behaviour import Behaviour, Given
from tests.loopback.model_output import Turn

Script = Callable[[str, int], Given]
Said = str | Mapping[str, Any]
"""One turn of the model: a text, or `{"text": ..., "calls": [{"name": ..., "arguments": ...}]}`."""
Answers = Callable[[str], Said | Sequence[Said]]
AnswerTable = Mapping[str, Said | Sequence[Said]]


@dataclass(frozen=True)
class ScriptTable:
    default: tuple[Behaviour, ...] = (Behaviour(),)
    keys: Mapping[str, tuple[Behaviour, ...]] = field(default_factory=dict)

    def __call__(self, key: str, attempt: int) -> Behaviour:
        tries = self.keys.get(key, self.default)
        return tries[min(attempt, len(tries)) - 1]

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> ScriptTable:
        unknown = document.keys() - {"default", "keys", "delay"}
        if unknown:
            raise ValueError(f"a script has no {', '.join(sorted(unknown))}")
        delay = document.get("delay", 0.0)
        keys = {key: _tries(given, delay) for key, given in document.get("keys", {}).items()}
        return cls(_tries(document.get("default", "ok"), delay), keys)


def script_of(given: Script | Mapping[str, Any] | None) -> Script:
    return given if callable(given) else ScriptTable.of(given or {})


def answers_of(given: Answers | AnswerTable | None) -> Answers:
    """Answers by key; a key that a table lacks is answered as by default."""
    if given is None:
        return default_answer
    return given if callable(given) else lambda key: given[key] if key in given else default_answer(key)


def turn_of(answer: Said | Sequence[Said], number: int) -> Turn:
    """Return the turn that an answer has for a request in which the model has answered this often before.

    The last turn of a list stays. So the same request gets the same answer, however often it is asked.
    """
    said = answer if isinstance(answer, str | Mapping) else answer[min(number, len(answer) - 1)]
    return Turn(said) if isinstance(said, str) else Turn(**said)


def default_answer(key: str) -> str:
    """A block of code that is Python, whatever the key, and does nothing."""
    return f"```python\n{f'answer to {key}'!r}\n```"


def _tries(given: Given | list[Given], delay: float) -> tuple[Behaviour, ...]:
    behaviours = [Behaviour.of(one) for one in (given if isinstance(given, list) else [given])]
    if not behaviours:
        raise ValueError("a list of behaviours is empty")
    return tuple(replace(one, delay=one.delay + delay) for one in behaviours)
