"""The error of a model, and how often and how long it is tried again."""

import asyncio
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from herobench.data.errors import HeroBenchError
from herobench.models.model_error import ErrorKind, ModelError, Retry, RetryPolicy
from tests.sizes import for_each

PASSING = "rate_limit server connection timeout malformed truncated empty".split()
EVERYWHERE = "connection auth no_model quota".split()


@for_each("kind", ErrorKind)
def test_each_kind_says_whether_asking_again_can_help_and_whether_it_meets_all(kind: ErrorKind) -> None:
    error = ModelError(kind, "It did not work.")
    assert (error.passing, error.everywhere) == (kind in PASSING, kind in EVERYWHERE)
    assert error.as_row() == {"kind": kind.value, "message": "It did not work.", "status": None}


def test_a_failure_is_one_of_ours_and_says_what_it_was_told() -> None:
    error = ModelError(ErrorKind.RATE_LIMIT, "Slowly.", status=429, retry_after=1.5)
    assert isinstance(error, HeroBenchError)
    assert (str(error), error.retry_after) == ("Slowly.", 1.5)
    assert error.as_row() == {"kind": "rate_limit", "message": "Slowly.", "status": 429}


LASTING = [kind for kind in ErrorKind if kind not in PASSING]
BUSY = ModelError(ErrorKind.RATE_LIMIT, "Slowly.", status=429)


class Trial:
    """Asks through patience something that fails as said and then succeeds, and keeps what was waited and noted."""

    def __init__(self, *failures: Exception) -> None:
        self.failures = list(failures)
        self.tries = 0
        self.waited: list[float] = []
        self.noted: list[Retry] = []

    async def once(self) -> str:
        self.tries += 1
        if self.failures:
            raise self.failures.pop(0)
        return "a reply"

    async def sleep(self, seconds: float) -> None:
        assert len(self.noted) == len(self.waited) + 1, "each retry is noted before its wait"
        self.waited.append(seconds)

    def patience(self, retries: int = 5, first: float = 1.0, longest: float = 60.0, seed: int = 0) -> RetryPolicy:
        return RetryPolicy(retries, first, longest, chance=Random(seed), sleep=self.sleep)

    def run(self, patience: RetryPolicy | None = None) -> str:
        return asyncio.run((patience or self.patience()).ask(self.once, self.note))

    async def note(self, retry: Retry) -> None:
        self.noted.append(retry)


def told(seconds: float, kind: ErrorKind = ErrorKind.RATE_LIMIT) -> ModelError:
    return ModelError(kind, "Slowly.", retry_after=seconds)


# -- how often --------------------------------------------------------------------------------------------------------


def test_what_succeeds_is_asked_once() -> None:
    trial = Trial()
    assert (trial.run(), trial.tries, trial.waited, trial.noted) == ("a reply", 1, [], [])


@given(st.integers(0, 8), st.integers(0, 8))
def test_a_failure_that_passes_is_asked_again_after_as_often_as_allowed(failures: int, retries: int) -> None:
    trial = Trial(*(ModelError(ErrorKind.SERVER, f"failure {number}") for number in range(failures)))
    patience = trial.patience(retries)
    if failures <= retries:
        assert trial.run(patience) == "a reply"
    else:
        with pytest.raises(ModelError, match=f"^failure {retries}$"):
            trial.run(patience)
    assert trial.tries == 1 + min(failures, retries)
    assert len(trial.waited) == len(trial.noted) == min(failures, retries)


@for_each("kind", LASTING)
def test_what_cannot_succeed_is_never_asked_again(kind: ErrorKind) -> None:
    trial = Trial(BUSY, ModelError(kind, "", retry_after=1.0))
    with pytest.raises(ModelError) as raised:
        trial.run()
    assert (raised.value.kind, trial.tries, len(trial.noted)) == (kind, 2, 1)


def test_what_is_no_failure_of_a_model_is_none_of_ours() -> None:
    trial = Trial(ValueError("a mistake"))
    with pytest.raises(ValueError, match="a mistake"):
        trial.run()
    assert trial.tries == 1


def test_a_wait_that_is_called_off_asks_no_more() -> None:
    async def called_off(seconds: float) -> None:
        raise asyncio.CancelledError

    trial = Trial(BUSY)
    with pytest.raises(asyncio.CancelledError):
        trial.run(RetryPolicy(sleep=called_off))
    assert trial.tries == 1


# -- how slowly -------------------------------------------------------------------------------------------------------


@given(st.integers(), st.integers(0, 100), st.floats(0.01, 10.0), st.floats(0.01, 100.0))
def test_a_wait_is_drawn_below_a_bound_that_doubles_up_to_the_longest(
    seed: int, tries: int, first: float, longest: float
) -> None:
    wait = Trial().patience(first=first, longest=longest, seed=seed).wait_after(BUSY, tries)
    assert wait is not None
    assert 0.0 <= wait <= min(longest, first * 2**tries)


@for_each(("tries", "bound"), [(0, 1.0), (1, 2.0), (4, 16.0), (6, 60.0), (50, 60.0)])
def test_waits_fill_the_whole_range_so_that_not_all_come_back_at_once(tries: int, bound: float) -> None:
    patience = Trial().patience()
    waits = [wait for _ in range(2000) if (wait := patience.wait_after(BUSY, tries)) is not None]
    assert len(waits) == 2000
    assert min(waits) < 0.01 * bound
    assert 0.99 * bound < max(waits) <= bound
    assert sum(waits) / len(waits) == pytest.approx(bound / 2, rel=0.05)


@given(st.integers(), st.integers(0, 20), st.floats(0.0, 3600.0), st.sampled_from(PASSING))
def test_a_server_that_says_how_long_is_believed_and_little_is_added(
    seed: int, tries: int, seconds: float, kind: ErrorKind
) -> None:
    wait = Trial().patience(seed=seed).wait_after(told(seconds, kind), tries)
    assert wait is not None
    assert seconds <= wait <= seconds + 6.0


def test_all_who_were_told_the_same_still_come_back_apart() -> None:
    patience = Trial().patience()
    assert len({patience.wait_after(told(30.0), 3) for _ in range(100)}) == 100


def test_who_is_told_to_come_back_at_once_does() -> None:
    trial = Trial(told(0.0))
    trial.run()
    assert trial.waited[0] <= 0.1


def test_a_server_that_asks_for_too_long_a_wait_is_given_up_on() -> None:
    patience = RetryPolicy(most_told=100.0)
    assert patience.wait_after(told(100.0), 0) is not None
    assert patience.wait_after(told(100.1), 0) is None
    trial = Trial(told(3600.1))
    with pytest.raises(ModelError, match="Slowly"):
        trial.run()
    assert (trial.tries, trial.noted) == (1, [])


def test_each_retry_is_noted_with_its_failure_and_its_wait() -> None:
    trial = Trial(BUSY, told(7.0))
    trial.run()
    assert [retry.waited for retry in trial.noted] == trial.waited
    assert trial.noted[0].as_row() == {
        "kind": "rate_limit",
        "message": "Slowly.",
        "status": 429,
        "waited": round(trial.waited[0], 3),
    }
