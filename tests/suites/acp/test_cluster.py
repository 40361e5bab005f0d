"""`--on` for this suite: the same rows and the same words as on one machine."""

from pathlib import Path

import pytest

from tests.cluster.here import here, on
from tests.program import herobench, read_jsonl, refuses, write_jsonl

__all__ = ["here"]
pytestmark = pytest.mark.usefixtures("here")


@pytest.mark.slow
@pytest.mark.parametrize("words", [("--json",), ()], ids=["json", "text"])
def test_proofs_of_questions_are_told_as_on_one_machine(tmp_path: Path, words: tuple[str, ...]) -> None:
    file = tmp_path / "questions.jsonl"
    made = herobench("generate", "--suite", "acp", "--count", "6", "--domain", "ferry", "-o", file, "--jobs", "1")
    assert made.returncode == 0
    rows = read_jsonl(file)
    del rows[2]["proof"]
    write_jsonl(file, rows)
    alone = herobench("validate", "--suite", "acp", file, "--jobs", "1", *words)
    done = on(tmp_path, "validate", "--suite", "acp", file, *words)
    assert (done.returncode, done.stdout) == (alone.returncode, alone.stdout) == (2, alone.stdout)
    assert done.stderr.splitlines()[1:] == alone.stderr.splitlines()


def test_questions_are_made_on_one_machine(tmp_path: Path) -> None:
    sentence = "The suite acp makes its tasks one after the other"
    assert sentence in refuses(herobench("generate", "--suite", "acp", "--on", "ray", "-o", tmp_path / "x"))
