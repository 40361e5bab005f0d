from herobench.analysis.statistics.findings import find, groups
from tests.analysis.samples.samples import sample, table_of


def test_tokens_are_those_of_measured_samples() -> None:
    samples = table_of(sample("1/1", True, tokens=100), sample("1/2", None, tokens=900))
    assert find("run", samples).tokens.estimate == 100


def test_groups_are_in_the_order_of_numbers_also_beside_what_only_looks_like_one() -> None:
    names = ("²", "10", "9", "1.5", ".", "x")
    samples = table_of(*(sample(f"{name}/1", True) for name in names))
    assert [group.name for group in groups(samples, "bracket")] == ["1.5", "9", "10", ".", "x", "²"]


def test_numbers_in_names_count_as_numbers() -> None:
    names = ("campaign 16-31", "campaign 8-15", "campaign 128-255", "campaign 1")
    samples = table_of(*(sample(f"{name}/1", True) for name in names))
    found = [group.name for group in groups(samples, "bracket")]
    assert found == ["campaign 1", "campaign 8-15", "campaign 16-31", "campaign 128-255"]
