"""Attempts begin after given turns, and are copied as they stand."""

import json

import pytest

from herobench.data.errors import UsageError
from herobench.scorer import Scorer
from tests.scorer.attempts import AttemptProperties as TestAttempts

__all__ = ["TestAttempts"]


def test_a_prefix_is_a_list_of_turns_or_a_number_and_does_not_end_the_attempt(short: Scorer) -> None:
    (task_id,) = short.tasks
    (call,) = short.way(task_id)[0].tool_calls
    written = {"name": call.name, "arguments": json.loads(call.arguments)}
    message = {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c", "function": {"name": call.name, "arguments": call.arguments}}],
    }
    for prefix in ([json.dumps(written)], [message], [{"role": "user", "content": "Go on."}, message], 1):
        distance = short.play(task_id, prefix=prefix).distance()
        assert distance
        assert distance.most == 3
    ended = f"the attempt at {task_id} is over after"
    for prefix, told in (
        (4, f"The prefix has 4 turns, and {ended} 4: give fewer."),
        (["x", "x", "x"], f"The prefix has 3 turns, and {ended} 2: give fewer."),
        ("STUCK", 'prefix is "STUCK": give a list of turns, or a number of turns.'),
        (True, "prefix is true: give a list of turns, or a number of turns."),
        ([3], "A turn is a text or a message of the assistant, and not a int."),
    ):
        with pytest.raises(UsageError) as refused:
            short.play(task_id, prefix=prefix)  # type: ignore[arg-type]
        assert str(refused.value) == told
