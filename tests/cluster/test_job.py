"""Jobs in shards: what is written, how an interrupted job goes on, and which folder is refused."""

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from herobench.cluster.job import Ended, Rows, ShardWork, run_job
from herobench.cluster.manifest import Identity, Shard
from herobench.cluster.row_files import Format, Types
from herobench.data.documents import schema_problems
from herobench.data.errors import InputError, SandboxError, UsageError
from herobench.work.engine import Lost
from herobench.work.rows import Row, RowFacts
from tests.cluster.here import Fate, Here, no_fate
from tests.sizes import for_each


class Squares(ShardWork):
    """Work whose rows are squares, and whose facts are their sum."""

    table: Types = MappingProxyType({"number": "integer", "square": "integer"})

    def facts(self) -> "Sum":
        return Sum()

    @contextmanager
    def open(self) -> Iterator[Rows]:
        yield self.of

    def of(self, shard: Shard, facts: RowFacts) -> Iterator[Row]:
        assert isinstance(shard.given, range)
        for number in shard.given:
            row = {"number": number, "square": number * number}
            facts.add({}, row)
            yield row


class Sum(RowFacts):
    def __init__(self) -> None:
        self.sum = 0

    def add(self, given: Row, made: Row) -> None:
        self.sum += made["square"]

    def as_row(self) -> dict[str, int]:
        return {"sum": self.sum}


SHARDS = [Shard(index, range(10 * index, 10 * index + 10)) for index in range(5)]
WHOLE = "".join(f'{{"number": {number}, "square": {number * number}}}\n' for number in range(50))


def run(folder: Path, fate: Fate = no_fate, format: Format = "jsonl", **changes: Any) -> Ended:
    given = {"command": "score", "options": {"rules": "standard"}, "format": format, "version": "1"}
    steps: list[None] = []
    identity = Identity(**given | changes)
    ended = run_job(Here(fate=fate), Squares(), str(folder), identity, SHARDS, lambda: steps.append(None))
    assert len(steps) == len(ended.manifest.written)
    return ended


def shards_text(folder: Path) -> str:
    return "".join(path.read_text("utf-8") for path in sorted(folder.glob("part-*.jsonl")))


def read_manifest(folder: Path) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((folder / "manifest.json").read_text("utf-8"))
    assert schema_problems(read, "job", "manifest.json") == []
    return read


def states(folder: Path) -> list[str]:
    return [entry["state"] for entry in read_manifest(folder)["shards"]]


def test_the_shards_one_after_the_other_are_the_rows_in_order_and_the_manifest_names_each(tmp_path: Path) -> None:
    ended = run(tmp_path)
    assert shards_text(tmp_path) == WHOLE
    assert (ended.rows, ended.retried, ended.failed) == (50, 0, {})
    entries = read_manifest(tmp_path)["shards"]
    assert {path.name for path in tmp_path.iterdir()} == {"manifest.json", *(entry["file"] for entry in entries)}
    for shard, entry in zip(SHARDS, entries, strict=True):
        content = (tmp_path / entry["file"]).read_bytes()
        assert entry == {
            "file": f"part-{shard.index:07}.jsonl",
            "state": "done",
            "rows": 10,
            "size": len(content),
            "sha256": hashlib.sha256(content).hexdigest(),
            "facts": {"sum": sum(number * number for number in shard.given)},  # type: ignore[union-attr]
        }


def test_parquet_shards_hold_the_same_rows_and_the_same_facts(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    run(tmp_path, format="parquet")
    rows = [row for path in sorted(tmp_path.glob("*.parquet")) for row in parquet.read_table(path).to_pylist()]
    assert rows == list(map(json.loads, WHOLE.splitlines()))
    entry = read_manifest(tmp_path)["shards"][2]
    assert entry["sha256"] == hashlib.sha256((tmp_path / entry["file"]).read_bytes()).hexdigest()


@for_each("stop", range(1, 6))
def test_an_interrupted_job_goes_on_where_it_stopped(tmp_path: Path, stop: int) -> None:
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, lambda number: KeyboardInterrupt() if number == stop else None)
    assert states(tmp_path).count("done") == stop - 1
    written = {path: path.stat().st_mtime_ns for path in tmp_path.glob("part-*")}
    ended = run(tmp_path)
    assert shards_text(tmp_path) == WHOLE
    assert {path: path.stat().st_mtime_ns for path in written} == written, "finished shards are not made again"
    assert sum(one.facts["sum"] for one in ended.manifest.written) == sum(number * number for number in range(50))


def test_a_job_that_is_done_makes_nothing_again(tmp_path: Path) -> None:
    run(tmp_path)
    ended = run(tmp_path, lambda number: SandboxError("nothing is called"))
    assert (ended.rows, ended.failed) == (50, {})


@for_each("harm", ["gone", "cut short"])
def test_a_shard_that_is_gone_or_cut_short_is_made_again(tmp_path: Path, harm: str) -> None:
    run(tmp_path)
    path = tmp_path / "part-0000003.jsonl"
    path.unlink() if harm == "gone" else path.write_text("{}\n", "utf-8")
    run(tmp_path)
    assert shards_text(tmp_path) == WHOLE


def test_lost_workers_cost_a_retry_and_no_row(tmp_path: Path) -> None:
    ended = run(tmp_path, lambda number: Lost("gone") if number % 2 else None)
    assert shards_text(tmp_path) == WHOLE
    assert (ended.retried > 0, ended.failed) == (True, {})


def test_a_shard_that_cannot_be_made_is_told_and_waits_for_the_next_session(tmp_path: Path) -> None:
    ended = run(tmp_path, lambda number: SandboxError("no worker starts") if number in (1, 2, 3) else None)
    missing = states(tmp_path).index("waiting")
    assert states(tmp_path).count("done") == 4
    assert ended.failed == {f"part-{missing:07}.jsonl": "after 3 tries: no worker starts"}
    run(tmp_path)
    assert shards_text(tmp_path) == WHOLE


class Elsewhere(Here):
    """A machine on which the folder of the job is another one."""

    def __init__(self, folder: Path, after: int) -> None:
        super().__init__(width=1)
        self._folder = folder
        self._after = after

    def submit(self, given: Any) -> object:
        if self.calls >= self._after:
            self.work.folder = str(self._folder)
        return super().submit(given)


@for_each(("after", "missing"), [(0, 5), (2, 3)])
def test_shards_that_workers_write_to_folders_of_their_own_are_noticed(
    tmp_path: Path, after: int, missing: int
) -> None:
    folder = tmp_path / "out"
    engine, identity = (
        Elsewhere(tmp_path / "far", after),
        Identity("score", {"rules": "standard"}, "jsonl", version="1"),
    )

    def job() -> Ended:
        return run_job(engine, Squares(), str(folder), identity, SHARDS, lambda: None)

    if after == 0:
        with pytest.raises(UsageError, match="name a folder that all machines share"):
            job()
    else:
        assert len(job().failed) == missing
    assert states(folder).count("waiting") == missing
    run(folder)
    assert shards_text(folder) == WHOLE


def test_what_killed_writers_left_is_removed_when_all_is_written(tmp_path: Path) -> None:
    left = [tmp_path / ".part-0000001.jsonl.abcdef01", tmp_path / ".manifest.json.abcdef01"]
    for path in left:
        path.write_text("half", "utf-8")
    run(tmp_path, lambda number: SandboxError("full") if number in (1, 2, 3) else None)
    assert all(path.exists() for path in left)
    run(tmp_path)
    assert not any(path.exists() for path in left)


# -- another job ------------------------------------------------------------------------------------------------------

INPUT = {"file": "a.jsonl", "size": 3, "sha256": "ab" * 32}


@for_each(
    ("changes", "words"),
    [
        ({"command": "validate"}, 'the command is "score" there and "validate" here'),
        ({"options": {"rules": "paper"}}, 'the option rules is "standard" there and "paper" here'),
        ({"options": {"rules": "standard", "seed": 1}}, "the option seed is null there and 1 here"),
        ({"options": {}}, 'the option rules is "standard" there and null here'),
        ({"version": "2"}, 'the version of herobench is "1" there and "2" here'),
        ({"format": "parquet"}, 'the format is "jsonl" there and "parquet" here'),
        ({"inputs": [INPUT, INPUT]}, "the number of input files is 1 there and 2 here"),
        (
            {"inputs": [{**INPUT, "sha256": "cd" * 32}]},
            "is abababababab... there and cdcdcdcdcdcd... here",
        ),
    ],
)
def test_the_folder_of_another_job_is_refused_with_the_reason(
    tmp_path: Path, changes: dict[str, Any], words: str
) -> None:
    run(tmp_path, inputs=[INPUT])
    before = read_manifest(tmp_path)
    with pytest.raises(UsageError, match=f"{tmp_path} holds another job: .*") as refusal:
        run(tmp_path, **{"inputs": [INPUT], **changes})
    assert words in str(refusal.value)
    assert read_manifest(tmp_path) == before


def test_an_input_that_was_moved_is_the_same(tmp_path: Path) -> None:
    run(tmp_path, inputs=[INPUT])
    run(tmp_path, inputs=[{**INPUT, "file": "elsewhere.jsonl"}])


@for_each(
    ("spoil", "words"),
    [
        (lambda text: text[:-9], "manifest.json: "),
        (lambda text: text.replace('"done"', '"perhaps"'), "manifest.json: $.shards[0].state"),
    ],
)
def test_a_manifest_that_is_spoilt_is_refused_by_its_place(
    tmp_path: Path, spoil: Callable[[str], str], words: str
) -> None:
    run(tmp_path)
    path = tmp_path / "manifest.json"
    path.write_text(spoil(path.read_text("utf-8")), "utf-8")
    with pytest.raises(InputError) as refusal:
        run(tmp_path)
    assert words in str(refusal.value)


def test_shards_without_a_manifest_are_not_written_over(tmp_path: Path) -> None:
    run(tmp_path)
    (tmp_path / "manifest.json").unlink()
    with pytest.raises(UsageError, match=r"has shards but no manifest\.json"):
        run(tmp_path)
