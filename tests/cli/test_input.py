"""What the program does with files that are none, with standard input, and with JSON that means harm."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.builders import documents, write_world
from tests.cli.running import TASKS
from tests.golden import Golden
from tests.program import Done, command, herobench, read_jsonl, surroundings, write_jsonl
from tests.sizes import for_each

EXAMPLES = TASKS.parent
ANSWERS = EXAMPLES / "answers.jsonl"


@pytest.fixture
def fifo(tmp_path: Path) -> Path:
    os.mkfifo(tmp_path / "fifo")
    return tmp_path / "fifo"


def piped(path: Path, *args: str | Path, cwd: Path) -> Done:
    """Run the program with a file on its standard input, by way of a pipe."""
    with subprocess.Popen(["cat", path], stdout=subprocess.PIPE) as cat:
        return subprocess.run(
            command(*args), stdin=cat.stdout, capture_output=True, text=True, timeout=120, env=surroundings(), cwd=cwd
        )


@pytest.mark.parametrize(
    "args",
    [
        ["score", "FIFO", ANSWERS, "-o", "out"],
        ["score", TASKS, "FIFO", "-o", "out"],
        ["import", "FIFO", "-o", "out"],
        ["tasks", "list", "--tasks", "FIFO"],
        ["tasks", "stats", "--tasks", "FIFO"],
        ["validate", "FIFO"],
        ["audit", "FIFO"],
        ["analyze", "FIFO"],
        ["analyze", "lost.jsonl", "--failures", "FIFO", "--format", "md"],
        ["compare", "FIFO", "lost.jsonl"],
        ["leaderboard", "FIFO"],
        ["plot", "FIFO"],
        ["run", "-m", "noop", "-o", "out", "--tasks", "FIFO"],
        ["run", "-m", "replay:FIFO", "-o", "out", "--tasks", TASKS],
        ["run", "-m", "noop", "-o", "out", "--tasks", TASKS, "--prices", "FIFO"],
        ["run", "-m", "noop", "-o", "out", "--world", "WORLD"],
        ["world", "show", "WORLD"],
        ["run", "--resume", "RUN"],
        ["score", "RUN"],
        ["analyze", "RUN"],
    ],
)
def test_no_command_waits_for_a_fifo(args: list[str | Path], fifo: Path, tmp_path: Path, golden: Golden) -> None:
    write_world(tmp_path / "WORLD", documents())
    (tmp_path / "RUN").mkdir()
    write_jsonl(tmp_path / "lost.jsonl", [{"task_id": "a", "epoch": 0, "outcome": "lose", "score": 0}])
    for document in ("WORLD/items.json", "RUN/run.json"):
        (tmp_path / document).unlink(missing_ok=True)
        (tmp_path / document).symlink_to(fifo)
    words = [str(arg).replace("FIFO", "fifo") for arg in args]
    golden(herobench(*words, cwd=tmp_path))
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["calls.jsonl", "samples.jsonl", "tasks.jsonl", "world.json"])
@pytest.mark.parametrize("what", ["/dev/zero", "fifo"])
def test_a_file_of_a_run_that_is_none_is_named(
    name: str, what: str, fifo: Path, tmp_path: Path, golden: Golden
) -> None:
    assert herobench("run", "-m", "noop", "--tasks", TASKS, "-o", "run", cwd=tmp_path).returncode == 0
    (tmp_path / "run" / name).unlink()
    (tmp_path / "run" / name).symlink_to(what if what[0] == "/" else fifo)
    done = herobench("run", "--resume", "run", cwd=tmp_path)
    golden(done)
    assert "expected a regular file" in done.stderr


LOOPS = [
    ["analyze", "LOOP"],
    ["analyze", "RUN", "--format", "csv", "-o", "LOOP"],
    ["leaderboard", "LOOP"],
    ["compare", "LOOP", "RUN"],
    ["plot", "LOOP", "-o", "figures"],
    ["merge", "LOOP", "RUN", "-o", "merged"],
    ["export", "atif", "LOOP", "-o", "out"],
    ["world", "new", "LOOP"],
]


@pytest.fixture(scope="module")
def noop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("noop") / "run"
    assert herobench("run", "-m", "noop", "--tasks", TASKS, "-o", path).returncode == 0
    return path


@for_each("words", LOOPS)
def test_a_link_to_itself_is_a_sentence(words: list[str], noop: Path, tmp_path: Path, golden: Golden) -> None:
    (tmp_path / "loop").symlink_to("loop")
    golden(herobench(*({"LOOP": "loop", "RUN": str(noop)}.get(word, word) for word in words), cwd=tmp_path))


def test_scores_take_the_place_of_a_link_to_itself(noop: Path, tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    assert herobench("score", noop, "-o", "loop", cwd=tmp_path).returncode == 0
    assert len(read_jsonl(tmp_path / "loop")) == 5


@for_each("name", ["calls.jsonl", "samples.jsonl", "lock"])
def test_a_run_does_not_write_through_a_link_that_leads_out_of_its_folder(
    name: str, tmp_path: Path, golden: Golden
) -> None:
    assert herobench("run", "-m", "noop", "--tasks", TASKS, "-o", "run", cwd=tmp_path).returncode == 0
    samples = tmp_path / "run" / "samples.jsonl"
    write_jsonl(samples, read_jsonl(samples)[:-1])  # else nothing is left to do
    outside = tmp_path / "outside"
    outside.write_text("torn, so that it would be cut off")
    (tmp_path / "run" / name).unlink()
    (tmp_path / "run" / name).symlink_to(outside)
    golden(herobench("run", "--resume", "run", cwd=tmp_path))
    assert outside.read_text() == "torn, so that it would be cut off"


# -- standard input ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_answers_can_be_piped_in_and_score_the_same(tmp_path: Path) -> None:
    from_file = herobench("score", TASKS, ANSWERS, "-o", "file.jsonl", cwd=tmp_path)
    from_pipe = piped(ANSWERS, "score", TASKS, "-", "-o", "pipe.jsonl", cwd=tmp_path)
    assert (from_pipe.returncode, from_pipe.stderr) == (from_file.returncode, from_file.stderr) == (0, "")
    assert (tmp_path / "pipe.jsonl").read_bytes() == (tmp_path / "file.jsonl").read_bytes()


@pytest.mark.slow
def test_tasks_can_be_piped_in(tmp_path: Path) -> None:
    done = piped(TASKS, "score", "-", ANSWERS, "--suite", "rpg", "-o", "out.jsonl", cwd=tmp_path)
    assert done.returncode == 0, done
    assert len(read_jsonl(tmp_path / "out.jsonl")) == 5
    listed = piped(TASKS, "tasks", "list", "--suite", "rpg", "--tasks", "-", "--json", cwd=tmp_path)
    assert len(json.loads(listed.stdout)) == 5


def test_standard_input_is_not_read_twice(tmp_path: Path, golden: Golden) -> None:
    golden(
        herobench("score", "-", "-", "--suite", "rpg", "-o", "out.jsonl", cwd=tmp_path),
        herobench("tasks", "stats", "--suite", "rpg", "--tasks", "-", cwd=tmp_path),
        herobench("run", "-m", "replay:-", "--dataset", "base", "-o", "run", cwd=tmp_path),
    )


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="there is no /dev/fd here")
def test_the_pipe_of_a_process_substitution_is_told_the_way_in(tmp_path: Path, golden: Golden) -> None:
    reading, writing = os.pipe()
    os.close(writing)
    args = command("score", TASKS, f"/dev/fd/{reading}", "-o", tmp_path / "out.jsonl")
    done = subprocess.run(args, pass_fds=[reading], capture_output=True, text=True, env=surroundings(), timeout=120)
    os.close(reading)
    golden(done, places={f"/dev/fd/{reading}": "/dev/fd/N"})


# -- nesting ----------------------------------------------------------------------------------------------------------


@for_each("depth", [300, 900, 100_000])
def test_deep_nesting_is_never_a_traceback(depth: int, tmp_path: Path) -> None:
    deep = "[" * depth + "]" * depth
    row = json.loads(ANSWERS.read_text("utf-8").splitlines()[0])
    answer = json.dumps({**row, "extra": 0}).replace('"extra": 0', f'"extra": {deep}')
    task = json.dumps({**read_jsonl(TASKS)[0], "extra": 0}).replace('"extra": 0', f'"extra": {deep}')
    scored = json.dumps({"task_id": "a", "epoch": 0, "outcome": "lose", "score": 0, "events": 0})
    write_jsonl(tmp_path / "answers.jsonl", [answer])
    write_jsonl(tmp_path / "tasks.jsonl", [task])
    write_jsonl(tmp_path / "scored.jsonl", [scored.replace('"events": 0', f'"events": {deep}')])
    (tmp_path / "deep.json").write_text(deep)
    for args in (
        ["score", TASKS, "answers.jsonl", "-o", "out.jsonl"],
        ["tasks", "list", "--tasks", "tasks.jsonl"],
        ["run", "-m", "replay:answers.jsonl", "--tasks", TASKS, "-o", "run", "--limit", "1"],
        ["analyze", "scored.jsonl"],
        ["import", "deep.json", "-o", "out.jsonl"],
        ["run", "-m", "noop", "-o", "noop", "--tasks", TASKS, "--dry-run", "--prices", "deep.json"],
        ["run", "-m", "noop", "-o", "noop", "--tasks", TASKS, "--dry-run", "--extra-body", f'{{"x": {deep}}}'],
    ):
        if len(max(map(str, args), key=len)) > 100_000 and sys.platform != "darwin":
            continue  # longer than an argument may be
        done = herobench(*args, cwd=tmp_path)
        assert done.returncode in (0, 1, 2), done
        assert "Traceback" not in done.stderr, args
