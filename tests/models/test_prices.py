import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from herobench.conversation import Usage
from herobench.data.errors import InputError
from herobench.models.model import Price, load_prices
from tests.sizes import for_each

PRICE = Price(2.0, 8.0, 0.5)
FIGURES = st.floats(0, 1e6)
COUNTS = st.integers(0, 10**12)


def loaded(folder: Path, document: Any) -> dict[str, Price]:
    path = folder / "prices.json"
    path.write_text(document if isinstance(document, str) else json.dumps(document), "utf-8")
    return load_prices(path)


def problems(folder: Path, document: Any) -> list[str]:
    with pytest.raises(InputError) as raised:
        loaded(folder, document)
    return [f"{problem.path} {problem.expected}" for problem in raised.value.problems]


def test_a_call_costs_its_input_and_its_output_by_the_million() -> None:
    assert PRICE.of(Usage(1_000_000, 500_000)) == 2.0 + 4.0
    assert PRICE.of(Usage(0, 0)) == 0.0


def test_thoughts_are_output_and_cost_nothing_more() -> None:
    assert PRICE.of(Usage(0, 500_000, reasoning=400_000)) == 4.0


def test_input_that_was_read_before_has_its_own_price() -> None:
    assert PRICE.of(Usage(1_000_000, 0, cached=600_000)) == pytest.approx(0.4 * 2.0 + 0.6 * 0.5)


def test_no_more_can_have_been_read_before_than_was_read() -> None:
    assert PRICE.of(Usage(1_000_000, 0, cached=9_000_000)) == 0.5


@for_each("usage", [Usage(), Usage(input=1), Usage(output=1), Usage(cached=1, reasoning=1)])
def test_what_was_not_counted_has_no_price_and_not_a_price_of_nought(usage: Usage) -> None:
    assert PRICE.of(usage) is None
    assert Price(0.0, 0.0, 0.0).of(usage) is None


@given(st.builds(Price, FIGURES, FIGURES, FIGURES), COUNTS, COUNTS, COUNTS)
def test_more_never_costs_less(price: Price, read: int, written: int, more: int) -> None:
    cost, dearer = price.of(Usage(read, written)), price.of(Usage(read, written + more))
    assert cost is not None
    assert dearer is not None
    assert 0.0 <= cost <= dearer


def test_a_price_file_has_a_price_for_each_model(tmp_path: Path) -> None:
    document = {"a": {"input": 2, "output": 8, "cache_read": 0.5}, "b/c": {"input": 1.5, "output": 0}}
    prices = loaded(tmp_path, document)
    assert prices == {"a": PRICE, "b/c": Price(1.5, 0.0, 1.5)}
    assert loaded(tmp_path, {name: price.as_row() for name, price in prices.items()}) == prices
    assert loaded(tmp_path, {}) == {}


def test_all_that_is_wrong_with_a_price_file_is_told_at_once(tmp_path: Path) -> None:
    document = {"a": {"input": -1, "output": "8"}, "b": {"input": 1}, "c": {"input": 1, "output": 1, "inptu": 1}}
    found = problems(tmp_path, document)
    assert sorted(problem.split()[0] for problem in found) == ["$.a.input", "$.a.output", "$.b", "$.c.inptu"]


@for_each("document", ["", "[", "[]", '{"a": 1}', '{"a": {"input": NaN, "output": 1}}'])
def test_a_price_file_that_is_none_is_refused(tmp_path: Path, document: str) -> None:
    assert problems(tmp_path, document)


def test_a_price_beyond_all_reason_is_refused(tmp_path: Path) -> None:
    assert problems(tmp_path, {"a": {"input": 10**400, "output": 1}})
    assert problems(tmp_path, {"a": {"input": 1, "output": 1e300}})


def test_a_price_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nothing\.json"):
        load_prices(tmp_path / "nothing.json")
    with pytest.raises(InputError, match="expected a file that exists"):
        load_prices(tmp_path)
