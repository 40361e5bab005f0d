"""Random programs, run in the sandbox and in plain Python: nothing that can be seen tells the two apart."""

import re

from hypothesis import HealthCheck, assume, given, settings

from herobench.suites.rpg.sandbox.bounds import Limits
from tests.sizes import many
from tests.suites.rpg.sandbox.grammar import programs
from tests.suites.rpg.sandbox.plans import Seen, seen_in_python, seen_in_the_sandbox

LIMITS = Limits(steps=20_000, actions=2_000)
UNFOUND = re.compile(r"(-?\d+ is|list\.index\(x\): x) not in list")
"""What Python says of a value that is not in a list. From 3.14 on it does not name the value, and the sandbox does."""


@settings(
    max_examples=many(2000, 30),
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
@given(program=programs())
def test_a_program_does_in_the_sandbox_what_it_does_in_python(program: str) -> None:
    ours = seen_in_the_sandbox(program, LIMITS)
    assume(ours is not None)
    assert ours is not None
    assert comparable(ours) == comparable(seen_in_python(program))


def comparable(seen: Seen) -> Seen:
    """What was seen, without the value that was not found."""
    error = seen.error and UNFOUND.sub("x not in list", seen.error)
    return seen._replace(output=UNFOUND.sub("x not in list", seen.output), error=error)
