"""Samples that are never ranked together are split, and nothing is lost on the way."""

import pandas as pd

from herobench.analysis.statistics.ranking import RankedGroup, parts_of


def table(*values: str | None) -> pd.DataFrame:
    return pd.DataFrame({"task_id": [str(n) for n in range(len(values))], "terms_of": values, "counted": True})


def shown(parts: list[RankedGroup]) -> list[tuple[str, dict[str, list[str]]]]:
    return [(part.title, {name: list(samples.task_id) for name, samples in part.runs.items()}) for part in parts]


def test_each_value_is_a_part_and_a_run_may_be_in_several() -> None:
    runs = {"one": table("b", "a", "b"), "two": table("b")}
    assert shown(parts_of(runs, ["terms_of"])) == [
        ("terms of: a", {"one": ["1"]}),
        ("terms of: b", {"one": ["0", "2"], "two": ["0"]}),
    ]


def test_without_such_columns_all_is_one_part_without_a_title() -> None:
    runs = {"one": table("a", "b"), "two": table()}
    assert shown(parts_of(runs, [])) == [("", {"one": ["0", "1"], "two": []})]


def test_what_is_not_known_is_a_part_of_its_own() -> None:
    found = parts_of({"one": table("a", None)}, ["terms_of"])
    assert [part.values for part in found] == [{"terms_of": "a"}, {"terms_of": "unknown"}]


def test_a_run_without_samples_is_in_the_last_part() -> None:
    nothing = table()
    assert shown(parts_of({"none": nothing, "one": table("b", "a")}, ["terms_of"])) == [
        ("terms of: a", {"one": ["1"]}),
        ("terms of: b", {"one": ["0"], "none": []}),
    ]
    assert shown(parts_of({"none": nothing}, ["terms_of"])) == [("", {"none": []})]


def test_what_does_not_count_is_in_the_whole_of_a_run_alone() -> None:
    samples = table("a", "a", "b")
    samples["counted"] = [True, False, False]
    parts = parts_of({"one": samples}, ["terms_of"])
    assert shown(parts) == [("terms of: a", {"one": ["0"]}), ("terms of: b", {"one": []})]
    assert [list(part.whole["one"].task_id) for part in parts] == [["0", "1"], ["2"]]
