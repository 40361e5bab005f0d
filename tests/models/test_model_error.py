from herobench.data.errors import HeroBenchError
from herobench.models.model_error import ErrorKind, ModelError
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
