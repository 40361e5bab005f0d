"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path

import pytest

from herobench.cli.options import settings_of
from herobench.data.errors import UsageError
from tests.program import herobench, refuses

TWICE = {
    "The setting rules is given twice, as 'paper' and as 'standard': leave one out.": (
        ["--rules", "paper", "--set", "rules=standard"]
    ),
    "The setting world is given twice, as 'classic' and as 'mine': leave one out.": (
        ["--set", "world=mine", "--world", "classic"]
    ),
    "The setting goal is given twice, as '3' and as '4': leave one out.": ["--set", "goal=3", "--set", "goal=4"],
}


@pytest.mark.parametrize("told", TWICE)
def test_a_setting_with_two_values_is_refused(told: str, tmp_path: Path) -> None:
    assert refuses(herobench("run", "--model", "noop", "-o", tmp_path / "run", *TWICE[told])) == told
    assert refuses(herobench("score", tmp_path, *TWICE[told])) == told
    assert list(tmp_path.iterdir()) == []


def test_settings_are_read_up_to_the_first_sign_and_also_twice_alike_is_twice() -> None:
    assert settings_of(["goal=a=b"], {"rules": "paper", "world": None}) == {"rules": "paper", "goal": "a=b"}
    with pytest.raises(UsageError, match="The setting rules is given twice, as 'paper' and as 'paper'"):
        settings_of(["rules=paper"], {"rules": "paper"})


@pytest.mark.parametrize(
    ("command", "meaning"),
    [
        (["run"], "Sent to the model's server for sampling; each epoch adds 1. Tasks stay the same: see --fresh."),
        (["generate"], "Of the tasks: another seed makes other tasks."),
        (["generate", "--suite", "acp"], "Of the tasks: another seed makes other tasks."),
        (["serve"], "Make tasks anew from this seed, in place of a set. No model gets it."),
        (["mcp"], "Make tasks anew from this seed, in place of a set. No model gets it."),
        (["openenv"], "Make tasks anew from this seed, in place of a set. No model gets it."),
        (["autumn", "check"], "Of the random numbers in the first episode; each episode adds 1."),
        (["world", "remix"], "Of the world: another seed gives another world."),
    ],
)
def test_each_command_says_what_its_seed_is_of(command: list[str], meaning: str) -> None:
    shown = herobench(*command, "--help", columns=300).stdout
    (line,) = (line for line in shown.splitlines() if " --seed " in line)
    assert meaning in line
