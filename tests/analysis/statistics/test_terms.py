"""Figures of many samples are shown with the terms that their suite separates."""

from collections.abc import Mapping
from typing import Any

from herobench.analysis.reading.contract import Reading
from herobench.analysis.statistics.tally import Terms


class Apart(Reading):
    """Separates by two columns, one of which is not always known, and has a fact that takes the events."""

    settings: Mapping[str, str] = {"terms_of": "terms", "hall": "halls"}
    separates = ("terms_of", "hall")

    def facts(self, sample: Mapping[str, Any]) -> Mapping[str, Any]:
        assert sample["events"] is None, "events are long, and say nothing of the terms"
        return {"terms_of": sample["details"]["terms"], "hall": sample["details"].get("hall"), "won": sample["won"]}


def words(reading: Reading, *details: Mapping[str, Any]) -> str:
    terms = Terms()
    for each in details:
        terms.add({"won": True, "details": each, "events": {"schema": 1}}, reading)
    return terms.words


def test_the_value_that_all_samples_share_is_named() -> None:
    assert words(Apart(), {"terms": "hard", "hall": "b"}, {"terms": "hard", "hall": "b"}) == "terms of: hard, hall: b"


def test_of_several_values_each_is_named_and_where_they_are_apart() -> None:
    assert words(Apart(), {"terms": "hard", "hall": "b"}, {"terms": "easy", "hall": "b"}) == (
        "terms: easy and hard, added up here; herobench analyze shows them apart, hall: b"
    )


def test_what_is_not_known_is_named_so() -> None:
    assert words(Apart(), {"terms": "hard"}) == "terms of: hard, hall: unknown"


def test_a_suite_that_separates_nothing_has_no_terms_and_neither_has_no_sample() -> None:
    assert words(Reading(), {"terms": "hard"}) == words(Apart()) == ""


def test_samples_are_mixed_where_one_column_has_several_values() -> None:
    terms = Terms()
    assert not terms.mixed
    for hall in ("a", "a", "b"):
        assert not terms.mixed
        terms.add({"won": True, "details": {"terms": "hard", "hall": hall}, "events": None}, Apart())
    assert terms.mixed
