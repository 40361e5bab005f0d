"""Runs that name one dataset and asked other tasks are told apart, by every command that compares or confirms them."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import herobench as library
from herobench.analysis.samples.sources import AskedDataset
from herobench.analysis.samples.variants import KeptTasks, told_apart
from herobench.data.rows import dump_row
from herobench.suites.rpg.game.world import world_digest
from tests.program import herobench, read_jsonl, write_jsonl
from tests.sizes import for_each

Row = dict[str, Any]


def strengthen(row: Row) -> None:
    """A hero of whom everything falls at once."""
    row["hero"]["stats"] |= dict.fromkeys(("attack_fire", "attack_earth", "attack_water", "attack_air"), 90_000)


def rewrite(run: Path, change: Callable[[Row], None], copy: Path, **config: Any) -> Path:
    """A copy of a run with other tasks, and with their digest made anew."""
    shutil.copytree(run, copy)
    rows = read_jsonl(run / "tasks.jsonl")
    for row in rows:
        change(row)
    (copy / "tasks.jsonl").write_text("".join(map(dump_row, rows)), "utf-8")
    manifest = json.loads((copy / "run.json").read_text("utf-8"))
    manifest["config"] |= {"tasks": digest(rows), **config}
    (copy / "run.json").write_text(json.dumps(manifest), "utf-8")
    return copy


def digest(rows: list[Row]) -> str:
    return hashlib.sha256("".join(map(dump_row, rows)).encode()).hexdigest()


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of the dataset base-v2, one of some of its tasks, and one whose heroes were made strong."""
    folder = tmp_path_factory.mktemp("runs")
    for name, limit in (("honest", "21"), ("part", "3-5")):
        words = ("run", "--model", "greedy", "--dataset", "base", "--limit", limit, "-o", folder / name)
        assert herobench(*words).returncode == 0
    rewrite(folder / "honest", strengthen, folder / "forged")
    assert herobench("score", folder / "forged").returncode == 0
    return folder


def note(name: str | Path = "forged") -> str:
    return (
        f"{name} names the dataset base-v2, but has other rows or another world.json for 21 of its 21 tasks, such as "
        "1/10_Battlestaff_craft: it is another dataset."
    )


def test_a_run_with_other_rows_is_ranked_apart_under_another_name(runs: Path) -> None:
    done = herobench("leaderboard", runs / "forged", runs / "honest", runs / "part", "--format", "json")
    *others, forged = json.loads(done.stdout)["runs"]
    assert sorted(row["name"] for row in others) == ["honest", "part"]
    assert {row["dataset"] for row in others} == {"base-v2"}
    assert {row["apart"]["tasks"] for row in others} == {"as named"}
    assert forged["dataset"].startswith("base-v2 with other tasks (")
    assert forged["apart"]["tasks"] == f"of {forged['dataset']}"
    assert note() in done.stderr


def test_tasks_with_other_rows_are_not_paired(runs: Path) -> None:
    done = herobench("compare", runs / "honest", runs / "forged", "--json")
    assert json.loads(done.stdout)["success"]["shared"] == 0
    assert note() in done.stderr
    done = herobench("compare", runs / "honest", runs / "part", "--json")
    assert json.loads(done.stdout)["success"]["shared"] == 3
    assert "other rows" not in done.stderr


def test_a_score_of_other_rows_says_so(runs: Path, tmp_path: Path) -> None:
    forged = Path(shutil.copytree(runs / "forged", tmp_path / "forged"))
    assert note(forged) in herobench("score", forged).stderr
    assert library.rescore(forged, output=tmp_path / "scored.jsonl").note == note(forged)
    assert "other rows" not in herobench("score", runs / "part", "-o", tmp_path / "part.jsonl").stderr


@for_each("left", [0, 9])
def test_tasks_that_a_run_does_not_keep_are_none_of_the_dataset(left: int, runs: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(runs / "honest", tmp_path / "copy"))
    write_jsonl(copy / "tasks.jsonl", read_jsonl(copy / "tasks.jsonl")[:left])
    told = herobench("leaderboard", copy).stderr
    assert (
        f"copy names the dataset base-v2, but has other rows or another world.json for {21 - left} of its 21 tasks"
        in told
    )


@for_each("options", [{"rules": "none"}, {"world": "/nowhere"}, {"mode": []}, None, [1]])
def test_wrong_options_of_a_run_do_not_hide_its_rows(options: object, runs: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(runs / "forged", tmp_path / "forged"))
    manifest = json.loads((copy / "run.json").read_text("utf-8"))
    manifest["conduct"] = {"options": options}
    (copy / "run.json").write_text(json.dumps(manifest), "utf-8")
    assert note() in herobench("leaderboard", copy).stderr


@for_each("fresh", [7, 7.0, "7", True, -1, {}])
def test_only_private_twins_are_excused_by_the_seed_of_twins(fresh: object, runs: Path, tmp_path: Path) -> None:
    forged = rewrite(runs / "honest", strengthen, tmp_path / "forged", fresh=fresh)
    done = herobench("leaderboard", runs / "honest", forged, "--format", "json")
    assert [row["apart"]["tasks"] == "as named" for row in json.loads(done.stdout)["runs"]] == [True, False]
    twins = "forged names private twins of the dataset base-v2, but 21 of its 21 tasks are no twins, such as"
    assert (note() if fresh != 7 or isinstance(fresh, float) else twins) in done.stderr


def test_private_twins_are_no_other_dataset(tmp_path: Path) -> None:
    words = ("run", "--model", "greedy", "--dataset", "base", "--limit", "2", "--fresh", "7", "-o", tmp_path / "twins")
    assert herobench(*words).returncode == 0
    for command in ("leaderboard", "score"):
        assert "another dataset" not in herobench(command, tmp_path / "twins").stderr


@pytest.mark.slow
def test_tasks_that_a_run_made_are_those_of_its_seed(tmp_path: Path) -> None:
    """Two models that are asked tasks of one seed have them in worlds of their own, with other tasks beside them."""
    for name, seed, limit in (("a", 7, 2), ("b", 7, 3), ("c", 8, 3)):
        words = ("run", "--model", "greedy", "--until", f"tasks={limit}", "--fresh", str(seed), "-o", tmp_path / name)
        assert herobench(*words).returncode == 0
    rewrite(tmp_path / "b", lambda row: row["road"]["limits"].update(camp=1), tmp_path / "d")
    told = {name: herobench("compare", tmp_path / "a", tmp_path / name, "--json") for name in "bcd"}
    shared = {name: json.loads(done.stdout)["success"]["shared"] for name, done in told.items()}
    assert shared == {"b": 2, "c": 0, "d": 0}
    assert ["two datasets" in done.stderr for done in told.values()] == [False, False, True]
    assert "worlds" not in told["b"].stderr
    boards = [herobench("leaderboard", tmp_path / "a", tmp_path / name, columns=300) for name in "bc"]
    assert [re.findall(r"\w+ tasks? (?:is|are) in all", board.stdout) for board in boards] == [
        ["2 tasks are in all"],
        ["No task is in all"],
    ]
    assert all("different worlds" not in board.stdout + board.stderr for board in boards)


def weaken_monsters(run: Path) -> None:
    """Make the world in a run's folder easier, and its digest in run.json anew. The tasks stay as they are."""
    world = json.loads((run / "world.json").read_text("utf-8"))
    for monster in world["monsters"]["monsters"]:
        monster["hp"] = 1
    (run / "world.json").write_text(json.dumps(world), "utf-8")
    manifest = json.loads((run / "run.json").read_text("utf-8"))
    manifest["config"]["identity"]["world"] = world_digest(world)
    (run / "run.json").write_text(json.dumps(manifest), "utf-8")


def test_a_run_in_another_world_is_of_another_dataset(runs: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(runs / "honest", tmp_path / "forged"))
    weaken_monsters(copy)
    done = herobench("leaderboard", runs / "honest", copy, "--format", "json")
    assert [row["apart"]["tasks"] == "as named" for row in json.loads(done.stdout)["runs"]] == [True, False]
    assert note() in done.stderr
    done = herobench("compare", runs / "honest", copy, "--json")
    assert json.loads(done.stdout)["success"]["shared"] == 0
    assert note() in done.stderr
    done = herobench("score", copy)
    assert done.returncode == 2
    assert "tasks of the world 'classic', and all are of another one" in done.stderr


@for_each("files", [[], ["../world.json"], ["/etc/hostname"], [7, None], {}, ["world.json", "\0"]])
def test_a_run_that_lists_other_files_has_another_world(files: object, runs: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(runs / "honest", tmp_path / "forged"))
    manifest = json.loads((copy / "run.json").read_text("utf-8"))
    (copy / "run.json").write_text(json.dumps(manifest | {"files": files}), "utf-8")
    assert note() in herobench("leaderboard", copy).stderr


# -- one task under two namings ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def renamed(runs: Path) -> Path:
    """The first tasks of the dataset under opaque names."""
    words = ("run", "--model", "greedy", "--dataset", "base", "--limit", "3", "--names", "random")
    assert herobench(*words, "-o", runs / "renamed").returncode == 0
    return runs / "renamed"


def shared(first: Path, second: Path) -> tuple[int, str]:
    """Return how many tasks two runs share, in both orders, and what is said of them."""
    one, other = (herobench("compare", *pair, "--json") for pair in ((first, second), (second, first)))
    counts = {json.loads(done.stdout)["success"]["shared"] for done in (one, other)}
    return counts.pop() if len(counts) == 1 else -1, one.stderr


def test_other_rows_or_another_world_are_other_tasks_under_any_names(runs: Path, renamed: Path, tmp_path: Path) -> None:
    count, told = shared(runs / "forged", renamed)
    assert (count, note() in told) == (0, True)
    for name, run in (("plain", runs / "honest"), ("renamed", renamed)):
        copy = Path(shutil.copytree(run, tmp_path / name))
        weaken_monsters(copy)
        assert shared(copy, renamed if name == "plain" else runs / "honest")[0] == 0


def test_one_changed_row_is_another_task_and_the_others_are_not(runs: Path, renamed: Path, tmp_path: Path) -> None:
    def strengthen_one(row: Row) -> None:
        if row["id"] == first:
            strengthen(row)

    first = read_jsonl(renamed / "tasks.jsonl")[0]["id"]
    assert shared(rewrite(runs / "honest", strengthen_one, tmp_path / "copy"), renamed)[0] == 2


@for_each("name", ["tasks.jsonl", "world.json"])
def test_renamed_tasks_that_cannot_be_read_are_paired_with_none(
    name: str, runs: Path, renamed: Path, tmp_path: Path
) -> None:
    copy = Path(shutil.copytree(renamed, tmp_path / "copy"))
    rows = (copy / "tasks.jsonl").read_text("utf-8")
    (copy / name).write_text(f"{rows}{{}}\n" if name == "tasks.jsonl" else "{}", "utf-8")
    assert shared(runs / "honest", copy)[0] == 0


def test_a_second_row_under_opaque_names_does_not_hide_the_first(runs: Path, renamed: Path, tmp_path: Path) -> None:
    rows = read_jsonl(renamed / "tasks.jsonl")
    both = [*read_jsonl(rewrite(renamed, strengthen, tmp_path / "copy") / "tasks.jsonl"), *rows]
    copy = rewrite(renamed, lambda row: None, tmp_path / "twice", tasks=digest(both))
    write_jsonl(copy / "tasks.jsonl", both)
    assert shared(runs / "honest", copy)[0] == 0


# -- datasets that are not shipped -----------------------------------------------------------------------------------


def kept(name: str, fresh: int | None = None, dataset: str = "mine", **digests: str) -> KeptTasks:
    return KeptTasks(name, "rpg", AskedDataset(dataset, fresh), digests)


def test_one_id_with_two_rows_makes_two_datasets_of_one_name() -> None:
    runs = [
        kept("a", x="1", y="2"),
        kept("b", y="2", z="3"),
        kept("c", y="4"),
        kept("d", y="4", z="5"),
        kept("e", z="5"),
    ]
    apart = told_apart(runs)
    assert [*apart] == ["c", "d", "e"]
    assert apart["c"].asked == apart["d"].asked == apart["e"].asked
    assert apart["c"].note == (
        "a and c both name the dataset mine, but have other rows or files for 1 of the tasks, such as y: "
        "they are two datasets."
    )


def test_a_name_that_is_not_shipped_does_not_hide_other_rows_than_those_of_a_shipped_dataset() -> None:
    honest = replace(kept("a", x="1", y="2"), is_shipped=True)
    runs = [kept("b", dataset="other", x="2"), honest, kept("c", dataset="third", y="2", z="3")]
    apart = told_apart(runs)
    assert [*apart] == ["b"]
    assert apart["b"].asked == AskedDataset("other")
    assert apart["b"].note == (
        "a names the dataset mine and b names other, but have other rows or files for 1 of the tasks, such as x: "
        "they are two datasets."
    )


def test_versions_of_a_shipped_dataset_compare_whatever_differs_in_their_rows() -> None:
    versions = [replace(kept(name, dataset=name, x=name), is_shipped=True) for name in ("noise-v1", "noise-v2")]
    assert told_apart(versions) == {}


def test_other_names_and_other_twins_are_other_datasets_anyway() -> None:
    assert told_apart([kept("a", x="1"), kept("b", dataset="other", x="2"), kept("c", fresh=7, x="3"), kept("d")]) == {}
    assert told_apart([KeptTasks("a", "rpg", None, {"x": "1"}), KeptTasks("b", "rpg", None, {"x": "2"})]) == {}
