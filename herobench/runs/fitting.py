"""Leaves out the tasks that do not fit a model's context, so that they are neither asked in vain nor counted as lost.

The context comes from the user, or from the file of a model on this machine. A server does not tell its own: there a
prompt that does not fit is refused, and its attempt is unmeasured.
"""

from __future__ import annotations

from collections.abc import Mapping

from herobench.conversation import Request
from herobench.data.errors import UsageError
from herobench.models.endpoint import parse_model_name
from herobench.runs.asking import count_characters
from herobench.runs.refusals import RunFault
from herobench.suite.contract import Suite, TaskInfo
from herobench.suite.recorded import RecordedAttempt

_LEAST_REPLY = 256
"""The tokens that a reply without a limit is taken to need at least."""
_FEWEST_CHARACTERS = 3
"""The characters of a token, for a guess that is seldom too low: small models have few words."""
_MOST_NAMED = 8
"""The groups that a sentence names."""


def local_context(model: str) -> int:
    """Return the context of a model on this machine, in tokens. Raise UsageError if it cannot run."""
    from herobench.models.local import find_model  # loads the SDK, which takes longer than a short run of a player

    return find_model(parse_model_name(model)[1])[1]


def prompt_characters(suite: Suite, task_id: str) -> int:
    """Return the length of what the first request of a task sends."""
    attempt = RecordedAttempt(suite, task_id, 0)
    return count_characters(Request(task_id, 0, tuple(attempt.messages), tuple(attempt.tools)))


def fitting_tasks(
    suite: Suite, tasks: Mapping[str, TaskInfo], context: int, most_tokens: int | None
) -> tuple[dict[str, TaskInfo], list[str]]:
    """Return the tasks whose first prompt and reply fit a context, and what to say of the others.

    `most_tokens` is the limit of a reply. Raise UsageError if no task fits.
    """
    reply = most_tokens or _LEAST_REPLY
    sizes = {task_id: prompt_characters(suite, task_id) // _FEWEST_CHARACTERS + reply for task_id in tasks}
    fitting = {task_id: task for task_id, task in tasks.items() if sizes[task_id] <= context}
    if not fitting:
        raise UsageError(RunFault.SMALL_CONTEXT, context=context, reply=reply, least=min(sizes.values()))
    if len(fitting) == len(tasks):
        return fitting, []
    groups = dict.fromkeys(task.group for task_id, task in tasks.items() if task_id not in fitting and task.group)
    names = f" ({', '.join([*groups][:_MOST_NAMED])})" if groups else ""
    count = f"{len(tasks) - len(fitting)} of {len(tasks)} tasks{names}"
    small = f"The context of {context:,} tokens is too small for {count}"
    return fitting, [f"{small}: they are left out, and figures are of the rest."]
