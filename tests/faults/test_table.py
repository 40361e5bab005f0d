"""The table of planted faults fits the tree."""

from collections import Counter
from pathlib import Path

from tests.faults.fault import Sources, read_faults

TESTS = Path(__file__).parents[1]


def test_each_fault_can_be_planted() -> None:
    sources = Sources(TESTS.parent)
    problems = []
    for fault in read_faults():
        try:
            path, wrong = fault.planted(sources)
            assert wrong != sources.texts[path]
        except LookupError as error:
            problems.append(str(error))
    assert not problems, "\n".join(problems)


def test_the_named_tests_exist_and_names_are_given_once() -> None:
    faults = read_faults()
    assert max(Counter(fault.name for fault in faults).values()) == 1
    modules = {path.stem for path in TESTS.rglob("test_*.py")}
    assert [fault.name for fault in faults if not {f"test_{name}" for name in fault.near.split()} <= modules] == []
