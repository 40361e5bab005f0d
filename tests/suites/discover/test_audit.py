"""`herobench audit --suite discover`, and the shares that it prints."""

from itertools import product
from pathlib import Path

import pytest

from herobench.suites.discover.making.audit import wins_by_rote
from herobench.suites.discover.making.generator import LANDS
from tests.program import herobench, write_jsonl
from tests.sizes import for_each
from tests.suites.discover.mysteries import TINY, some


@pytest.fixture(scope="module")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_jsonl(tmp_path_factory.mktemp("audit") / "tasks.jsonl", [some(1)[0].as_row()])


@pytest.mark.slow
def test_it_prints_what_players_win(tasks: Path) -> None:
    done = herobench("audit", tasks, "--suite", "discover", "--jobs", "1")
    assert done.returncode == 0, done.stderr
    rows = {line.split()[0]: line.split()[1:] for line in done.stdout.splitlines() if line.strip()}
    assert rows["experimenter"][0] == "1"
    assert rows["standard"][0] == "0"
    assert float(rows["fixed"][0]) <= 15


@for_each("days", [0, 1, 2, 3, 10])
def test_the_share_of_rote_is_counted_right(days: int) -> None:
    """It loses one day for each pair before the right ones."""
    for laws in (TINY, LANDS[0], LANDS[2]):
        places = [range(len(law.pairs)) for law in laws.shown]
        before = [sum(each) for each in product(*places)]
        assert wins_by_rote(laws, days) == pytest.approx(sum(each <= days for each in before) / len(before))
