"""Random programs, run in the sandbox and in plain Python: nothing that can be seen tells the two apart."""

from hypothesis import HealthCheck, assume, given, settings

from herobench.sandbox.bounds import Limits
from tests.sandbox.grammar import programs
from tests.sandbox.plans import seen_in_python, seen_in_the_sandbox
from tests.sizes import many

LIMITS = Limits(steps=20_000, actions=2_000)


@settings(
    max_examples=many(2000, 100),
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
@given(program=programs())
def test_a_program_does_in_the_sandbox_what_it_does_in_python(program: str) -> None:
    seen = seen_in_the_sandbox(program, LIMITS)
    assume(seen is not None)
    assert seen == seen_in_python(program)
