"""Tables as Markdown, LaTeX and CSV: a cell stays a cell, and no cell is a formula."""

from __future__ import annotations

import csv
import io

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from herobench.analysis.samples.table_text import csv_text, latex, markdown, spread
from tests.analysis.samples.samples import as_table, sample
from tests.sizes import for_each


def test_markdown_has_a_rule_and_keeps_bars_inside_cells() -> None:
    assert markdown(("Model", "%"), [("a|b", "1.0")]) == "| Model | % |\n| --- | ---: |\n| a\\|b | 1.0 |\n"


def test_columns_of_words_stand_at_the_left() -> None:
    table = (("Model", "Lane", "%", "h50"), [("a-1", "plan", "1.0", "not determined"), ("b", "gear", "", "45")])
    assert latex(*table).startswith("\\begin{tabular}{llrr}")
    assert markdown(*table).splitlines()[1] == "| --- | --- | ---: | ---: |"


def test_a_caption_stands_above() -> None:
    assert markdown(("Model",), [("a",)], "Table 1. Of models").startswith("Table 1. Of models\n\n| Model |")
    floating = latex(("Model",), [("a",)], "50 % of them")
    assert "\\caption{50 \\% of them}\n\\begin{tabular}{l}" in floating
    assert floating.startswith("\\begin{table}")
    assert floating.endswith("\\end{table}\n")


def test_latex_writes_what_is_special_to_it_as_text() -> None:
    text = latex(("Model", "Score"), [("a_b\\c{d}~^#&$", "1 ± 2")])
    assert "a\\_b\\textbackslash{}c\\{d\\}\\textasciitilde{}\\textasciicircum{}\\#\\&\\$ & 1 $\\pm$ 2 \\\\\n" in text
    assert text.startswith("\\begin{tabular}{lr}\n\\toprule\nModel & Score \\\\\n\\midrule\n")


def test_latex_has_a_real_minus_and_signs_of_comparison() -> None:
    text = latex(("Model-2", "a < b"), [("qwen-3 x-1", "-0.5 (-1.5 to +2.5)"), ("2026-11-29", "> 1")])
    assert "Model-2 & a $<$ b" in text
    assert "qwen-3 x-1 & $-$0.5 ($-$1.5 to +2.5) \\\\\n2026-11-29 & $>$ 1" in text


def test_a_mean_without_a_deviation_stands_alone_and_nothing_is_nothing() -> None:
    assert spread(1.25, 0.5, 1) == "1.2 ± 0.5"
    assert spread(1.25, None, 2) == "1.25"
    assert spread(None, None, 2) == ""


def test_a_cell_stays_a_cell_whatever_is_in_it() -> None:
    assert markdown(("Model",), [("a\nb\r\nc <b> \\|",)]).splitlines()[2] == "| a b c \\<b> \\\\\\| |"
    assert "a b \\\\\n" in latex(("Model",), [("a\n\nb",)]).replace("  ", " ")


STARTS = "=+-@\uff1d\uff0b\uff0d\uff20\t\r\n"


def read(text: str) -> pd.DataFrame:
    return pd.read_csv(io.StringIO(text), keep_default_na=False, dtype={"model": str, "task_id": str})


@for_each("start", STARTS)
def test_no_text_begins_like_a_formula(start: str) -> None:
    text = f"{start}cmd|' /C calc'!A1"
    found = read(csv_text(as_table(sample(text, True, run=text, model=text, target=f" {text}"))))
    for column in ("task_id", "run", "model"):
        assert found[column][0] == f"'{text}"
    assert found.target[0] == f"' {text}"
    assert len(found) == 1


def test_other_texts_and_all_numbers_are_as_they_were() -> None:
    rows = [sample("9/1_a-b_kill", True, model="m=1", score=-1.5, cost=-2e-7), sample("x", None, reward=-3)]
    text = csv_text(as_table(*rows))
    assert text == as_table(*rows).convert_dtypes().to_csv(index=False)
    assert "-1.5" in text
    assert "'" not in text
    assert pd.read_csv(io.StringIO(text)).score[0] == -1.5


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_an_apostrophe_taken_away_gives_back_any_text(text: str) -> None:
    (row,) = csv.DictReader(io.StringIO(csv_text(as_table(sample("a", True, model=text))), newline=""))
    assert row["model"].removeprefix("'") == text
