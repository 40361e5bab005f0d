import csv
import json
import shutil
from pathlib import Path
from shutil import copytree

import pandas as pd
import pytest

from herobench.analysis.samples.frame import frame_of
from herobench.data.documents import schema_problems
from tests.golden import Golden
from tests.made_runs import changed, make_run
from tests.program import Done, herobench, read_jsonl, refuses, write_jsonl
from tests.sizes import for_each


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A run that wins most, one that wins nothing, and one that was not measured."""
    folder = tmp_path_factory.mktemp("runs")
    return {
        "greedy": make_run(folder / "greedy", "greedy", [8, 9]),
        "noop": make_run(folder / "noop", "noop", [8, 9]),
        "none": make_run(folder / "none", "noop", [8, 9], measured=False),
    }


def analyzed(*args: str | Path) -> Done:
    done = herobench("analyze", *args, columns=120)
    assert done.returncode == 0, done.stderr
    return done


def told(*args: str | Path) -> list[dict[str, object]]:
    """What the JSON says of each run, held against its schema."""
    document = json.loads(analyzed(*args, "--format", "json").stdout)
    assert schema_problems(document, "analysis", "stdout") == []
    found: list[dict[str, object]] = document["runs"]
    return found


def test_the_table_has_each_run_and_each_bracket(runs: dict[str, Path], golden: Golden) -> None:
    golden(analyzed(runs["greedy"], runs["noop"]))


def test_the_json_counts_what_the_samples_say(runs: dict[str, Path]) -> None:
    (run,) = told(runs["greedy"], "--by", "bracket,kind")
    samples = read_jsonl(runs["greedy"] / "samples.jsonl")
    wins = sum(row["won"] for row in samples)
    assert run["samples"] == run["measured"] == run["tasks"] == len(samples) == 40
    assert run["success"]["estimate"] == pytest.approx(100 * wins / 40)  # type: ignore[index]
    assert sum(run["failures"].values()) == sum(run["causes"].values()) == 40 - wins  # type: ignore[attr-defined]
    assert [group["name"] for group in run["by"]["bracket"]] == ["8", "9"]  # type: ignore[index]
    assert sum(group["samples"] for group in run["by"]["kind"]) == 40  # type: ignore[index]


def test_what_was_not_measured_has_no_success_and_counts_as_lost_apart(runs: dict[str, Path], golden: Golden) -> None:
    (run,) = told(runs["none"])
    assert (run["measured"], run["unmeasured"]) == (0, 40)
    assert run["success"]["estimate"] is None  # type: ignore[index]
    assert run["success_of_all"]["estimate"] == 0  # type: ignore[index]
    assert run["errors"] == {"no_answer": 40}
    golden(analyzed(runs["none"]))


def test_tables_of_the_paper_come_as_markdown_and_latex(runs: dict[str, Path], golden: Golden) -> None:
    golden(analyzed(runs["greedy"], "--format", "md"))
    latex = analyzed(runs["greedy"], "--format", "latex").stdout
    assert latex.count("\\begin{table}") == latex.count("\\end{table}") == 6
    assert latex.startswith("\\begin{table}\n\\centering\n\\caption{Success, score and tokens over")
    assert "\\caption{Success and score, with 95 \\% intervals" in latex
    assert "\\toprule\nModel & Success \\% &" in latex
    assert "$\\pm$" in latex


def test_runs_that_the_papers_tables_have_no_row_for_have_their_figures(runs: dict[str, Path], tmp_path: Path) -> None:
    rows = read_jsonl(runs["greedy"] / "samples.jsonl")
    final = [{**changed(row, defeat="final"), "group": "8"} for row in rows]
    hard = write_jsonl(tmp_path / "hard.jsonl", final)
    shown = analyzed(hard, runs["noop"], "--format", "md").stdout
    assert shown.startswith("Table 1. Success, score and tokens")
    paper, _, figures = shown.partition("Success and score, with 95 % intervals (track: program, mode: plan)\n\n")
    assert "| noop |" in paper
    assert "| hard |" not in paper
    (run,) = told(hard)
    low, high = (f"{run['success'][end]:.1f}" for end in ("low", "high"))  # type: ignore[index]
    assert figures.startswith("| Model | Samples | Success % | Score | Progress | Horizon, decisions |\n")
    assert f"| hard | 40 | 80.0 ({low} to {high}) |" in figures
    assert "Success in percent by bracket, with 95 % intervals" in figures
    latex = analyzed(hard, "--format", "latex").stdout
    assert latex.count("\\begin{table}") == latex.count("\\end{table}") == 2


def test_parquet_has_the_same_table_for_other_tools(runs: dict[str, Path], tmp_path: Path, golden: Golden) -> None:
    path = tmp_path / "samples.parquet"
    analyzed(runs["greedy"], runs["none"], "--format", "parquet", "-o", path)
    found, samples = pd.read_parquet(path), frame_of([runs["greedy"], runs["none"]])
    assert list(found.columns) == list(samples.columns)
    for column in samples.columns:
        assert list(found[column].dropna()) == list(samples[column].dropna()), column
        assert list(found[column].isna()) == list(samples[column].isna()), column
    golden(
        herobench("analyze", runs["greedy"], "--format", "parquet"),
        herobench("analyze", runs["greedy"], "--format", "parquet", "-o", tmp_path / "no" / "folder"),
    )


def test_files_of_rows_are_analyzed_like_runs(runs: dict[str, Path], tmp_path: Path) -> None:
    copy = tmp_path / "copied.jsonl"
    copy.write_bytes((runs["greedy"] / "samples.jsonl").read_bytes())
    (run,), (file,) = told(runs["greedy"]), told(copy)
    assert {**run, "name": "", "dataset": None} == {**file, "name": ""}


def test_a_run_that_has_nothing_yet_is_told_in_a_sentence(
    runs: dict[str, Path], tmp_path: Path, golden: Golden
) -> None:
    begun = tmp_path / "begun"
    begun.mkdir()
    (begun / "run.json").write_bytes((runs["noop"] / "run.json").read_bytes())
    golden(herobench("analyze", begun))


def in_track(run: Path, path: Path, track: str, many: int = 40) -> Path:
    """Write the first samples of a run as those of another track."""
    rows = read_jsonl(run / "samples.jsonl")
    return write_jsonl(path, [*(changed(row, track=track) for row in rows[:many]), *rows[many:]])


def test_a_run_of_both_tracks_has_figures_for_each(runs: dict[str, Path], tmp_path: Path) -> None:
    mixed = in_track(runs["greedy"], tmp_path / "mixed.jsonl", "straight", 10)
    found = json.loads(analyzed(mixed, "--format", "json").stdout)
    assert schema_problems(found, "analysis", "stdout") == []
    assert [(run["name"], run["apart"], run["samples"]) for run in found["runs"]] == [
        ("mixed", {"help": "solver", "track": "program", "mode": "plan"}, 30),
        ("mixed", {"help": "solver", "track": "straight", "mode": "plan"}, 10),
    ]


@for_each(("column", "told"), [("track", "track: "), ("mode", "mode: plan")])
def test_samples_from_before_there_were_tracks_or_modes_are_of_programs_and_whole_plans(
    column: str, told: str, runs: dict[str, Path], tmp_path: Path
) -> None:
    rows = read_jsonl(runs["noop"] / "samples.jsonl")
    for row in rows:
        del row["details"][column]
    older = write_jsonl(tmp_path / "older.jsonl", rows)
    done = herobench("leaderboard", older, runs["greedy"])
    assert (done.stdout.count(told), done.stderr) == (1, "")


def test_modes_are_never_put_into_one_rank(runs: dict[str, Path], tmp_path: Path, golden: Golden) -> None:
    rows = read_jsonl(runs["greedy"] / "samples.jsonl")
    told = write_jsonl(tmp_path / "told.jsonl", (changed(row, mode="feedback") for row in rows))
    done = herobench("leaderboard", told, runs["noop"], runs["greedy"], "--format", "json")
    assert [(run["rank"], run["name"], run["apart"]["mode"]) for run in json.loads(done.stdout)["runs"]] == [
        (None, "told", "feedback"),
        (None, "greedy", "plan"),
        (None, "noop", "plan"),
    ]
    assert "different modes, which do not compare: feedback, plan." in done.stderr
    golden(
        analyzed(told), herobench("compare", told, runs["greedy"]), herobench("compare", runs["noop"], runs["greedy"])
    )


def of_model(run: Path, path: Path, model: str, **details: str) -> Path:
    """Write the samples of a run as those of a model."""
    rows = read_jsonl(run / "samples.jsonl")
    return write_jsonl(path, ({**changed(row, **details), "model": model} for row in rows))


def test_reference_programs_have_no_rank_and_stand_beneath_the_models(
    runs: dict[str, Path], tmp_path: Path, golden: Golden
) -> None:
    good, poor = (of_model(runs[name], tmp_path / f"{name}.jsonl", "gpt-5") for name in ("greedy", "noop"))
    oracle = of_model(runs["greedy"], tmp_path / "oracle.jsonl", "oracle")
    golden(herobench("leaderboard", oracle, poor, good, "--format", "md"))
    table = [line.split() for line in herobench("leaderboard", oracle, poor, good).stdout.splitlines()]
    assert [line[0] for line in table if {"code", "solver"} & {*line}] == ["1", "2", "oracle"]
    ranked = json.loads(herobench("leaderboard", oracle, poor, good, "--format", "json").stdout)
    assert schema_problems(ranked, "leaderboard", "stdout") == []
    assert [(run["apart"]["help"], run["rank"], run["name"]) for run in ranked["runs"]] == [
        ("code", 1, "greedy"),
        ("code", 2, "noop"),
        ("solver", None, "oracle"),
    ]


def test_a_comparison_says_that_the_two_had_different_help(runs: dict[str, Path], tmp_path: Path) -> None:
    bare = of_model(runs["greedy"], tmp_path / "bare.jsonl", "gpt-5", track="straight")
    tools = of_model(runs["greedy"], tmp_path / "tools.jsonl", "gpt-5", track="straight", mode="tools")
    note = "The runs had different help (bare: bare; tools: tools): what differs between them may be that.\n"
    done = herobench("compare", bare, tools)
    assert note in done.stderr
    assert ["help", "bare", "against", "tools"] in [line.split() for line in done.stdout.splitlines()]
    compared = herobench("compare", bare, tools, "--json")
    found = json.loads(compared.stdout)
    assert schema_problems(found, "comparison", "stdout") == []
    assert (found["remarks"]["first"]["help"], found["remarks"]["second"]["help"]) == ("bare", "tools")
    assert note in compared.stderr
    alike = herobench("compare", bare, bare, "--json")
    assert ("remarks" in json.loads(alike.stdout), alike.stderr) == (False, "")


def with_agent(run: Path, folder: Path, agent: str) -> Path:
    """Copy a run as one of an agent."""
    copytree(run, folder)
    manifest = json.loads((folder / "run.json").read_text())
    manifest["config"]["agent"] = agent
    (folder / "run.json").write_text(json.dumps(manifest))
    return folder


def test_rankings_and_comparisons_tell_the_agent(runs: dict[str, Path], tmp_path: Path, golden: Golden) -> None:
    best = with_agent(runs["greedy"], tmp_path / "best", "best-of:5")
    golden(herobench("leaderboard", best, runs["noop"], "--format", "md"))
    told = json.loads(herobench("leaderboard", best, runs["noop"], "--format", "json").stdout)
    assert [run["agent"] for run in told["runs"]] == ["best-of:5", None]
    golden(herobench("compare", best, runs["noop"]))
    compared = json.loads(herobench("compare", best, runs["noop"], "--json").stdout)
    assert compared["agents"] == {"first": "best-of:5", "second": None}
    assert compared["usage"]["first"] == {"calls": 1.0, "input_tokens": None, "output_tokens": None, "cost": None}


@for_each(
    ("line", "complaint"),
    [("{", "expected JSON"), ('{"a": 1}', "expected a scored row"), ("[]", "expected a scored row")],
)
def test_a_line_that_is_no_row_is_named(line: str, complaint: str, tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "rows.jsonl", [line])
    assert complaint in (told := refuses(herobench("analyze", path)))
    assert f"{path}:1" in told


def test_a_column_that_is_none_is_refused_with_those_there_are(runs: dict[str, Path], golden: Golden) -> None:
    golden(herobench("analyze", runs["noop"], "--by", "weather"))


# -- two of them ------------------------------------------------------------------------------------------------------


def test_a_comparison_pairs_tasks_and_says_how_likely_luck_is(runs: dict[str, Path]) -> None:
    done = herobench("compare", runs["greedy"], runs["noop"], "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert schema_problems(found, "comparison", "stdout") == []
    success = found["success"]
    assert (success["shared"], success["better"], success["worse"]) == (40, 32, 0)
    assert success["difference"]["estimate"] == pytest.approx(80)
    assert success["exact_p"] == pytest.approx(2 * 0.5**32)
    same = json.loads(herobench("compare", runs["greedy"], runs["greedy"], "--json").stdout)["success"]
    assert (same["p"], same["difference"]["estimate"]) == (1.0, 0.0)


def test_a_comparison_without_shared_tasks_has_no_figures(runs: dict[str, Path], golden: Golden) -> None:
    golden(herobench("compare", runs["none"], runs["noop"]))


def test_a_folder_of_several_runs_is_analyzed_whole_and_no_side_of_a_comparison(
    runs: dict[str, Path], tmp_path: Path
) -> None:
    parts = [tmp_path / "checkup" / part / name for part, name in (("a", "greedy"), ("b", "noop"))]
    for part in parts:
        shutil.copytree(runs[part.name], part)
    assert [run["name"] for run in told(tmp_path / "checkup")] == ["greedy", "noop"]
    (empty := tmp_path / "begun").mkdir()
    told_of_none = f"{empty}: expected a run, or a folder with runs; no run.json is in it\n"
    assert herobench("analyze", empty).stderr == told_of_none
    done = herobench("compare", runs["noop"], tmp_path / "checkup")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.rstrip().endswith(f"has several runs, and a comparison takes one: {parts[0]}, {parts[1]}.")


def test_a_leaderboard_tells_tokens_and_cost_of_a_win_where_they_are_known(
    runs: dict[str, Path], tmp_path: Path, golden: Golden
) -> None:
    rows = read_jsonl(runs["greedy"] / "samples.jsonl")
    paid = write_jsonl(tmp_path / "paid.jsonl", ({**row, "output_tokens": 1000, "cost": 0.5} for row in rows))
    golden(herobench("leaderboard", paid, runs["noop"], "--format", "md"))
    # 32 of 40 attempts were won
    golden(analyzed(paid))


def test_a_leaderboard_as_csv_has_the_figures_of_the_json_in_a_row_for_each_run(
    runs: dict[str, Path], tmp_path: Path
) -> None:
    straight = in_track(runs["greedy"], tmp_path / "straight.jsonl", "straight")
    words = ("leaderboard", of_model(runs["noop"], tmp_path / "noop.jsonl", "gpt-5"), straight, "--format")
    told = json.loads(herobench(*words, "json").stdout)["runs"]
    rows = list(csv.DictReader(herobench(*words, "csv").stdout.splitlines()))
    assert [(row["name"], row["rank"], row["help"], row["apart"]) for row in rows] == [
        ("noop", "1", "code", "track: program, mode: plan"),
        ("straight", "", "solver", "track: straight, mode: plan"),
    ]
    for row, run in zip(rows, told, strict=True):
        assert float(row["success_high"]) == pytest.approx(run["success"]["high"])
        assert (row["horizon_verdict"], row["samples"]) == (run["horizon"]["verdict"], str(run["samples"]))


@for_each("form", ["table", "md", "json"])
def test_a_leaderboard_says_when_runs_have_different_tasks(form: str, runs: dict[str, Path], tmp_path: Path) -> None:
    few = write_jsonl(tmp_path / "few.jsonl", read_jsonl(runs["noop"] / "samples.jsonl")[:10])
    done = herobench("leaderboard", runs["greedy"], few, "--format", form)
    note = "These runs have different tasks, so their figures do not compare: 40 tasks in greedy; 10 tasks in few."
    if form == "table":
        assert done.stdout.splitlines()[-1].startswith(f"{note} 10 tasks are in all of them.")
        assert done.stderr == ""
    else:
        assert done.stderr.startswith(f"track: program, mode: plan: {note}")
        assert "different tasks" not in done.stdout
        return
    assert note not in herobench("leaderboard", runs["greedy"], runs["noop"]).stdout


# -- what was asked for -----------------------------------------------------------------------------------------------


@for_each("command", [["analyze"], ["analyze", "--format", "html", "-o", "x.html"], ["leaderboard"]])
def test_the_same_run_twice_is_refused(
    runs: dict[str, Path], command: list[str], tmp_path: Path, golden: Golden
) -> None:
    golden(herobench(*command, runs["noop"], runs["noop"], cwd=tmp_path))


def test_another_scoring_is_of_one_run_for_the_papers_tables(
    runs: dict[str, Path], tmp_path: Path, golden: Golden
) -> None:
    rows = read_jsonl(runs["noop"] / "samples.jsonl")
    failures = write_jsonl(tmp_path / "failures.jsonl", rows[1:])
    golden(herobench("analyze", runs["noop"], runs["greedy"], "--failures", failures, "--format", "md"))
    for form in ("table", "json", "csv"):
        golden(herobench("analyze", runs["noop"], "--failures", failures, "--format", form))
    lacking = analyzed(runs["noop"], "--failures", failures, "--format", "md")
    assert lacking.stderr == f"{failures} lacks 1 of 40 lost samples.\n"
    assert analyzed(runs["noop"], "--failures", runs["noop"], "--format", "md").stderr == ""


def test_mixed_samples_are_told_of_whatever_the_format(runs: dict[str, Path], tmp_path: Path) -> None:
    rows = read_jsonl(runs["noop"] / "samples.jsonl")
    mixed = write_jsonl(tmp_path / "mixed.jsonl", [changed(rows[0], rules="paper-hard"), *rows[1:]])
    note = "These samples are of different rules, which do not compare: paper-hard, standard."
    for form in ("table", "md", "latex", "csv"):
        assert analyzed(mixed, "--format", form).stderr == f"{note}\n"
    assert analyzed(mixed, "--format", "parquet", "-o", tmp_path / "x.parquet").stderr == f"{note}\n"
    assert f"mixed: {note}" in herobench("compare", mixed, runs["noop"]).stderr


def test_an_input_is_never_written_over(runs: dict[str, Path], tmp_path: Path, golden: Golden) -> None:
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(before := (runs["noop"] / "samples.jsonl").read_bytes())
    for form in ("json", "csv", "parquet", "html", "md"):
        for output in (copy, runs["noop"] / "run.json"):
            done = herobench("analyze", copy, runs["noop"], "--format", form, "-o", output)
            golden(done)
    done = herobench("analyze", runs["noop"], "--failures", copy, "--format", "md", "-o", copy)
    golden(done)
    assert copy.read_bytes() == before


def test_a_column_is_grouped_by_once_and_checked_before_anything_is_read(
    runs: dict[str, Path], tmp_path: Path, golden: Golden
) -> None:
    (run,) = told(runs["noop"], "--by", "kind,kind")
    assert list(run["by"]) == ["kind"]  # type: ignore[call-overload]
    assert analyzed(runs["noop"], "--by", "kind,kind").stdout.count("noop, by kind") == 1
    for form in ("table", "html"):
        golden(herobench("analyze", tmp_path / "none", "--by", "weather", "--format", form, "-o", tmp_path / "x"))


def test_without_samples_each_command_says_so(runs: dict[str, Path], tmp_path: Path, golden: Golden) -> None:
    empty = write_jsonl(tmp_path / "empty.jsonl", [])
    page = tmp_path / "x.html"
    for args in (["leaderboard"], ["compare", runs["noop"]], ["analyze", "--format", "html", "-o", page]):
        golden(herobench(*args, empty))
    assert not page.exists()


# -- suites -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def other(runs: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rows of a suite that nobody knows."""
    rows = read_jsonl(runs["noop"] / "samples.jsonl")
    path = tmp_path_factory.mktemp("other") / "other.jsonl"
    return write_jsonl(path, ({**row, "suite": "elsewhere", "details": {}} for row in rows))


def test_samples_of_several_suites_have_a_section_each(runs: dict[str, Path], other: Path, golden: Golden) -> None:
    golden(analyzed(runs["noop"], other))
    assert [(run["name"], run["suite"]) for run in told(runs["noop"], other)] == [
        ("noop", "rpg"),
        ("other", "elsewhere"),
    ]
    golden(analyzed(runs["noop"], other, "--format", "md"))
    rows = list(csv.DictReader(analyzed(runs["noop"], other, "--format", "csv").stdout.splitlines()))
    assert [row["suite"] for row in rows] == ["rpg"] * 40 + ["elsewhere"] * 40


def test_a_report_is_not_written_over_a_page_that_nobody_named(runs: dict[str, Path], tmp_path: Path) -> None:
    assert herobench("report", runs["noop"], cwd=tmp_path).returncode == 0
    (tmp_path / "report.html").write_text("mine", "utf-8")
    refused = herobench("report", runs["noop"], cwd=tmp_path)
    assert (refused.returncode, (tmp_path / "report.html").read_text("utf-8")) == (2, "mine")
    assert "-o report.html writes over it" in refused.stderr
    assert herobench("report", runs["noop"], "-o", "report.html", cwd=tmp_path).returncode == 0


@pytest.mark.slow
def test_the_report_on_several_suites_has_a_page_for_each(runs: dict[str, Path], other: Path, tmp_path: Path) -> None:
    done = herobench("report", runs["noop"], other, "-o", tmp_path / "all.html")
    assert done.returncode == 0, done.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"all.html", "all.rpg.html", "all.elsewhere.html"}
    cover = (tmp_path / "all.html").read_text("utf-8")
    assert "all.rpg.html" in cover
    assert "all.elsewhere.html" in cover
    alone = analyzed(runs["noop"], "--format", "html", "-o", tmp_path / "alone.html")
    assert alone.stderr
    assert (tmp_path / "alone.html").read_bytes() == (tmp_path / "all.rpg.html").read_bytes()


def test_a_leaderboard_of_several_suites_has_models_by_suites_and_no_total(
    runs: dict[str, Path], other: Path, golden: Golden
) -> None:
    golden(herobench("leaderboard", runs["noop"], runs["greedy"], other, "--format", "md"))
    ranked = json.loads(herobench("leaderboard", runs["noop"], other, "--format", "json").stdout)
    assert schema_problems(ranked, "leaderboard", "stdout") == []
    assert [run["suite"] for run in ranked["runs"]] == ["rpg", "elsewhere"]


def test_what_is_of_one_suite_refuses_several_until_one_is_chosen(
    runs: dict[str, Path], other: Path, tmp_path: Path, golden: Golden
) -> None:
    file = tmp_path / "x.parquet"
    for args in (["analyze", "--format", "parquet", "-o", file], ["compare"]):
        golden(herobench(*args, runs["noop"], other, cwd=tmp_path))
    assert not file.exists()
    golden(herobench("leaderboard", runs["noop"], "--suite", "x"))
    told = json.loads(herobench("leaderboard", runs["noop"], other, "--suite", "rpg", "--format", "json").stdout)
    assert {run["name"]: run["samples"] for run in told["runs"]} == {"noop": 40}
