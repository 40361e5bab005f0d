"""The declared refusal: a plan that is one call of `give_up` says that its task is impossible.

The sandbox asks here before a plan runs, for tasks that may be impossible. The call has to stand alone: comments and
blank lines may surround it, an action may not. A `give_up` among other calls is no refusal, but a call of something
that is no action: a straight plan with it is rejected, a program stops there with a NameError. So nobody can try a
plan first and give up where it fails. The text is matched and never run or parsed, because it may be hostile.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_MOST_CHARACTERS = 10_000
"""The longest text that is looked at."""
# Possessive quantifiers (`*+`) never give back what they took, so no text can make the match slow.
_GAP = r"(?:[^\S\n]*+(?:#[^\n]*+)?+(?:\n|\Z))*+[^\S\n]*+"
_TEXT = r"""(?:"(?!"")(?:[^"\\\n]|\\[^\n])*+"|'(?!'')(?:[^'\\\n]|\\[^\n])*+')"""
_NUMBER = r"[+-]?+(?:[0-9]++\.?+[0-9]*+|\.[0-9]++)(?:[eE][+-]?+[0-9]++)?+"
_CALL = re.compile(
    rf"{_GAP}give_up\(\s*+(?:reason\s*+=\s*+)?+(?P<reason>{_TEXT})\s*+"
    rf"(?:,\s*+p\s*+=\s*+(?P<p>{_NUMBER})\s*+)?+,?+\s*+\)[^\S\n]*+;?+{_GAP}\Z"
)


class GivingUp(NamedTuple):
    """A refusal: its reason, and the stated probability that the task is impossible; None without one from 0 to 1."""

    reason: str
    stated: float | None


def giving_up(plan: str) -> GivingUp | None:
    """Return the refusal that a plan is; None if it is anything else."""
    found = _CALL.match(plan) if len(plan) <= _MOST_CHARACTERS else None
    if found is None:
        return None
    stated = float(found["p"]) if found["p"] else None
    # The verdict does not depend on the number, so a number that is no probability is no error.
    return GivingUp(found["reason"][1:-1], stated if stated is not None and 0 <= stated <= 1 else None)
