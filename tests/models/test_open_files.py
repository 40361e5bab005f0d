"""In processes of their own: a limit that was lowered can often not be raised again."""

import resource
import subprocess
import sys
from textwrap import dedent

import pytest

from herobench.models.pace import allow_descriptors


def after(soft: int, hard: int, connections: int) -> tuple[int, int] | str:
    """The limits after asking for room for so many connections under these; or the refusal."""
    program = f"""
        from resource import RLIMIT_NOFILE, getrlimit, setrlimit
        from herobench.data.errors import UsageError
        from herobench.models.pace import allow_descriptors
        setrlimit(RLIMIT_NOFILE, ({soft}, {hard}))
        try:
            allow_descriptors({connections})
            print(*getrlimit(RLIMIT_NOFILE))
        except UsageError as error:
            assert getrlimit(RLIMIT_NOFILE) == ({soft}, {hard})
            print(error)
    """
    done = subprocess.run([sys.executable, "-c", dedent(program)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    words = done.stdout.split()
    return (int(words[0]), int(words[1])) if len(words) == 2 else done.stdout.strip()


def test_an_allowance_that_is_large_enough_is_left_as_it_is() -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    allow_descriptors(1)
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == before
    assert after(900, 1000, 700) == (900, 1000)


def test_a_small_allowance_is_raised_as_far_as_is_needed_and_no_further() -> None:
    assert after(256, 4000, 1000) == (1200, 4000)
    assert after(256, 1000, 800) == (1000, 1000)


def test_more_than_the_system_lets_us_have_is_refused_with_the_most_that_there_is_room_for() -> None:
    told = after(256, 1000, 801)
    assert told == "801 connections need 1001 open files, and the system allows 1000: give at most 800 connections."
    assert after(256, 1000, 800) == (1000, 1000), "the advice is good"


@pytest.mark.parametrize("hard", [150, 200])
def test_where_there_is_room_for_no_connection_none_is_advised(hard: int) -> None:
    told = after(100, hard, 10)
    assert isinstance(told, str)
    assert f"10 connections need 210 open files, and the system allows {hard}" in told
    assert "at most" not in told
