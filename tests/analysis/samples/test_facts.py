"""Facts of samples, and files that are read in chunks: the same facts and errors wherever a chunk ends."""

from __future__ import annotations

import gzip
import json
import pickle
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from herobench.analysis.samples.facts import SIZE, Facts, chunks_of, facts, facts_of, merged
from herobench.analysis.samples.frame import as_series, frame_of
from herobench.analysis.samples.packed import Coded, Fact, Numbers, pack, unpack
from herobench.analysis.samples.samples import tidy_columns
from herobench.analysis.samples.sources import Source, read_sources
from herobench.analysis.suites.rpg.reading import mechanics_in_words
from herobench.data import files
from herobench.data.errors import InputError
from herobench.work.engine import Local
from tests.made_runs import make_run
from tests.refusals import misread
from tests.sizes import THOROUGH, for_each


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_run(tmp_path_factory.mktemp("runs") / "shortcut", "shortcut", limit=60)


def test_a_line_that_is_no_row_is_named_whoever_reads_it(run: Path, tmp_path: Path) -> None:
    path = tmp_path / "spoilt.jsonl"
    lines = (run / "samples.jsonl").read_text("utf-8").splitlines()
    path.write_text("\n".join([*lines, "", '{"task_id": 1}', *lines]), "utf-8")
    for jobs in (1, 2):
        with misread("$", "spoilt.jsonl:62: ", "a scored row") as told:
            facts(read_sources([path]), Local(jobs))
        assert len(told.value.problems) == 1


def test_the_table_has_what_the_rows_have(run: Path) -> None:
    samples = frame_of([run])
    rows = [json.loads(line) for line in (run / "samples.jsonl").read_text("utf-8").splitlines()]
    assert tuple(samples.columns) == tidy_columns("rpg")
    assert list(samples.task_id) == [row["task_id"] for row in rows]
    assert list(samples.win) == [row["won"] for row in rows]
    assert list(samples.bracket) == [row["task_id"].partition("/")[0] for row in rows]
    assert list(samples.group) == list(samples.bracket)
    assert list(samples.outcome) == ["win" if row["won"] else "lose" for row in rows]
    lost = samples[~samples.win.astype(bool)]
    assert lost.cause.notna().all()
    assert samples[samples.win.astype(bool)].cause.isna().all()
    refused = [
        sum(entry.get("times", 1) for entry in row["events"]["actions"] if entry["status"] != 200) for row in rows
    ]
    assert all(wasted >= count for wasted, count in zip(samples.wasted, refused, strict=True))


@for_each(
    ("facts", "mechanics"),
    [
        ({"leveling": False, "noise": [], "stochastic": False}, "none"),
        ({"leveling": True, "noise": [], "stochastic": False}, "leveling"),
        ({"leveling": True, "noise": ["moon_blade"], "stochastic": True}, "leveling and noise and drops by chance"),
        ({}, None),
    ],
)
def test_what_a_task_asks_for_is_told_in_words(facts: dict[str, object], mechanics: str | None) -> None:
    assert mechanics_in_words(facts) == mechanics


ROWS = [
    {"task": f"{n}/{n}_Chicken_kill", "result": "win" if n % 2 else "lose", "reward": n, "score": 10.0 * n}
    for n in range(9)
]
"""Published results, whose lines are of different lengths."""


def texts() -> list[str]:
    return [json.dumps(row) + " " * (7 * n) for n, row in enumerate(ROWS)]


def write_source(path: Path, lines: list[str], end: str = "\n") -> Source:
    path.write_text("\n".join(lines) + end, "utf-8")
    return read_sources([path])[0]


def packed_source(path: Path, lines: list[str]) -> Source:
    path.write_bytes(gzip.compress(("\n".join(lines) + "\n").encode()))
    return read_sources([path])[0]


def read_chunks(source: Source, size: int) -> Facts:
    return merged(map(facts_of, chunks_of(source, size)))


def told(source: Source, size: int) -> str:
    with pytest.raises(InputError) as error:
        read_chunks(source, size)
    return str(error.value)


@pytest.mark.parametrize("end", ["\n", "", "\n\n"])
def test_each_line_is_in_one_chunk_wherever_chunks_end(tmp_path: Path, end: str) -> None:
    source = write_source(tmp_path / "x.jsonl", [*texts()[:4], "", *texts()[4:]], end)
    whole = list(source.lines())
    length = source.file.stat().st_size
    for size in (*range(1, 100, 1 if THOROUGH else 4), *range(100, length + 2, 1 if THOROUGH else 13)):
        chunks = list(chunks_of(source, size))
        assert [line for chunk in chunks for line in chunk.lines()] == whole
        assert all(len(chunk.text) >= size for chunk in chunks[:-1])


@for_each("size", [1, 50, 100, 333, SIZE])
def test_facts_do_not_depend_on_the_chunks(tmp_path: Path, size: int) -> None:
    plain = write_source(tmp_path / "x.jsonl", texts())
    whole = [tuple(row) for row in read_chunks(plain, SIZE).rows()]
    assert len(whole) == len(ROWS)
    assert list(read_chunks(plain, size).rows()) == whole
    packed = packed_source(tmp_path / "x.jsonl.gz", texts())
    assert len(list(chunks_of(packed, size))) > 1 or size > 300
    assert list(read_chunks(packed, size).rows()) == whole


@for_each("size", [1, 60, 200, SIZE])
@for_each("make", [write_source, packed_source])
def test_a_wrong_line_has_its_number_in_every_chunk(tmp_path: Path, size: int, make: Any) -> None:
    source = make(tmp_path / "x.jsonl", [*texts()[:6], "", '{"task": 5}', *texts()[6:], "also wrong"])
    assert told(source, size).startswith(f"{source.file}:8: $: expected a scored row")


@for_each("size", [1, 60, 200, SIZE])
@for_each("make", [write_source, packed_source])
def test_an_attempt_that_is_there_twice_is_named_by_its_second_line(tmp_path: Path, size: int, make: Any) -> None:
    lines = texts()
    source = make(tmp_path / "x.jsonl", [*lines, "", lines[3], lines[1], "wrong"])
    assert told(source, size) == (
        f"{source.file}:11: $: expected an attempt that is not there before it, "
        'found {"task_id": "3/3_Chicken_kill", "epoch": 0}'
    )


@for_each("size", [1, 60, SIZE])
def test_what_is_wrong_first_is_told(tmp_path: Path, size: int) -> None:
    lines = texts()
    source = write_source(tmp_path / "x.jsonl", [*lines, "wrong", lines[0]])
    assert told(source, size).startswith(f"{source.file}:10: column 1: expected JSON")


def test_two_sources_may_have_the_same_attempts(tmp_path: Path) -> None:
    one, other = (write_source(tmp_path / f"{name}.jsonl", texts()) for name in ("one", "other"))
    chunks = [chunk for source in (one, other) for chunk in chunks_of(source, 100)]
    assert len(merged(map(facts_of, chunks))) == 2 * len(ROWS)
    both = write_source(tmp_path / "both.jsonl", texts() * 2)
    assert f"{both.file}:10: " in told(both, 100)


@for_each("size", [1, 60, SIZE])
def test_a_wrong_row_is_told_before_the_damage_after_it(tmp_path: Path, size: int) -> None:
    path = tmp_path / "x.jsonl.gz"
    path.write_bytes(gzip.compress(("\n".join([*texts(), "wrong", *texts()]) + "\n").encode())[:-8])
    source = read_sources([path])[0]
    assert told(source, size).startswith(f"{path}:10: column 1: expected JSON")
    path.write_bytes(gzip.compress("\n".join(texts()).encode())[:-8])
    assert "a whole gzip file" in told(source, size)


@pytest.mark.parametrize("size", [1, 30, 100, SIZE])
def test_a_line_that_is_too_long_is_named_and_not_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(files, "LONGEST_LINE", 500)
    source = write_source(tmp_path / "x.jsonl", [texts()[0], "", " " * 2000, texts()[1]])
    assert told(source, size).startswith(f"{source.file}:3: expected a line of at most")


def test_chunks_and_their_facts_can_be_sent_to_other_processes(tmp_path: Path) -> None:
    def sent(things: Iterator[Any]) -> Iterator[Any]:
        return (pickle.loads(pickle.dumps(thing)) for thing in things)

    source = write_source(tmp_path / "x.jsonl", texts())
    whole = merged(sent(map(facts_of, sent(chunks_of(source, 100)))))
    assert list(whole.rows()) == list(read_chunks(source, SIZE).rows())
    wrong = write_source(tmp_path / "wrong.jsonl", [*texts(), "wrong"])
    with pytest.raises(InputError, match=r"wrong\.jsonl:10: "):
        merged(sent(map(facts_of, sent(chunks_of(wrong, 100)))))


FACTS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.integers(-(10**30), 10**30),
    st.sampled_from([0.0, 1.0, 2.0, 0.5, 1e300]),
    st.text("ab\ud800", max_size=2),
)
COLUMNS = st.sampled_from([FACTS, st.integers(-3, 3), st.floats(allow_nan=False), st.booleans(), st.text(max_size=2)])
COLUMN = COLUMNS.flatmap(lambda kind: st.lists(st.one_of(st.none(), kind) | kind, min_size=1, max_size=30))


def same(one: Sequence[Any], other: Sequence[Any]) -> bool:
    """Return whether two columns are the same: True is not 1, and 1 is not 1.0."""
    return [(type(value), value) for value in one] == [(type(value), value) for value in other]


@given(COLUMN, st.integers(1, 30))
def test_what_was_packed_comes_back(values: list[Fact], size: int) -> None:
    parts = [values[start : start + size] for start in range(0, len(values), size)]
    pieces = [pickle.loads(pickle.dumps(pack(part))) for part in parts]
    assert [len(piece) for piece in pieces] == [len(part) for part in parts]
    assert same(unpack(pieces).tolist(), values)


@given(COLUMN, st.integers(1, 30))
def test_a_column_is_as_pandas_makes_it_of_rows(values: list[Fact], size: int) -> None:
    pieces = [pack(values[start : start + size]) for start in range(0, len(values), size)]
    made = as_series(unpack(pieces))
    plain = pd.DataFrame.from_records([(value,) for value in values], columns=["x"]).x
    if any(isinstance(value, str) for value in values):
        # newer versions of pandas have a type of their own for texts
        assert made.dtype == object
        assert same(list(made), values)
    else:
        assert made.dtype == plain.dtype
        assert list(map(str, made)) == list(map(str, plain))


@for_each(
    ("values", "kind"),
    [
        ([1, 2, 3], Numbers),
        ([1.5, None, 2.5], Numbers),
        ([None, None], Coded),
        ([1, 2.0], Coded),
        ([True, 1], Coded),
        ([2**63], Coded),
        (["a", None, "a"], Coded),
    ],
)
def test_numbers_are_held_as_they_are_and_others_once(values: list[Fact], kind: type) -> None:
    packed = pack(values)
    assert type(packed) is kind
    if isinstance(packed, Coded):
        assert len(packed.table) == len({(type(value), value) for value in values})


def test_many_different_texts_fit() -> None:
    values = [f"task {n}" for n in range(70_000)]
    assert unpack([pack(values)]).tolist() == values


def test_an_equal_text_in_several_pieces_is_one_object() -> None:
    pieces = [pickle.loads(pickle.dumps(pack(["a task of some name"] * 3))) for _ in range(2)]
    assert len({id(value) for value in unpack(pieces)}) == 1
