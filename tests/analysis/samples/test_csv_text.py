import csv
import io

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from herobench.analysis.samples.table_text import csv_text
from tests.analysis.samples.samples import sample, table_of

STARTS = "=+-@\uff1d\uff0b\uff0d\uff20\t\r\n"


def read(text: str) -> pd.DataFrame:
    return pd.read_csv(io.StringIO(text), keep_default_na=False, dtype={"model": str, "task_id": str})


@pytest.mark.parametrize("start", STARTS)
def test_no_text_begins_like_a_formula(start: str) -> None:
    text = f"{start}cmd|' /C calc'!A1"
    found = read(csv_text(table_of(sample(text, True, run=text, model=text, target=f" {text}"))))
    for column in ("task_id", "run", "model"):
        assert found[column][0] == f"'{text}"
    assert found.target[0] == f"' {text}"
    assert len(found) == 1


def test_other_texts_and_all_numbers_are_as_they_were() -> None:
    rows = [sample("9/1_a-b_kill", True, model="m=1", score=-1.5, cost=-2e-7), sample("x", None, reward=-3)]
    text = csv_text(table_of(*rows))
    assert text == table_of(*rows).convert_dtypes().to_csv(index=False)
    assert "-1.5" in text
    assert "'" not in text
    assert pd.read_csv(io.StringIO(text)).score[0] == -1.5


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_an_apostrophe_taken_away_gives_back_any_text(text: str) -> None:
    (row,) = csv.DictReader(io.StringIO(csv_text(table_of(sample("a", True, model=text))), newline=""))
    assert row["model"].removeprefix("'") == text
