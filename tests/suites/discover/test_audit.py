"""`herobench audit --suite discover`."""

from pathlib import Path

import pytest

from tests.program import herobench, write_jsonl
from tests.sizes import for_each
from tests.suites.discover.mysteries import some


@pytest.fixture(scope="module")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_jsonl(tmp_path_factory.mktemp("audit") / "tasks.jsonl", [some(1, 15)[0].as_row()])


@pytest.mark.slow
def test_it_prints_what_shallow_strategies_win(tasks: Path) -> None:
    done = herobench("audit", tasks, "--suite", "discover", "--jobs", "1")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[:4] == ["strategy", "wins", "of", "1"]
    assert ["told", "0", "0", "0"] in map(str.split, done.stdout.splitlines())


@pytest.mark.slow
@for_each(
    ("option", "told"),
    [
        (["--json"], "The audit of the suite discover is no JSON: leave --json out."),
        (["--families", "noop"], "No such option: --families. The suite discover has no options of its own"),
        (["--world", "classic"], "No such option: --world. The suite discover has no options of its own"),
    ],
)
def test_options_of_one_audit_are_refused_for_others(option: list[str], told: str, tasks: Path) -> None:
    assert told in herobench("audit", tasks, "--suite", "discover", *option).stderr
