from __future__ import annotations

from herobench.cli.options import with_values
from tests.sizes import for_each


@for_each(
    ("words", "meant"),
    [
        ([], []),
        (["--noise"], ["--noise=5"]),
        (["--noise", "3"], ["--noise", "3"]),
        (["--noise=3"], ["--noise=3"]),
        (["--noise", "--count", "3"], ["--noise=5", "--count", "3"]),
        (["--noise", "-3"], ["--noise", "-3"]),
        (["--count", "3", "--noise"], ["--count", "3", "--noise=5"]),
        (["--fresh"], ["--fresh=random"]),
        (["--fresh", "-m", "oracle"], ["--fresh=random", "-m", "oracle"]),
        (["--fresh", "7"], ["--fresh", "7"]),
        (["--fresh=7"], ["--fresh=7"]),
        (["--fresh-tasks", "file"], ["--fresh-tasks", "file"]),
    ],
)
def test_an_option_of_these_needs_no_value(words: list[str], meant: list[str]) -> None:
    assert with_values(words, {"--noise": "5", "--fresh": "random"}) == meant
