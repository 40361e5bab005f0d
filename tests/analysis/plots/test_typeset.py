from herobench.analysis.samples.table_text import latex, markdown, spread


def test_markdown_has_a_rule_and_keeps_bars_inside_cells() -> None:
    assert markdown(("Model", "%"), [("a|b", "1.0")]) == "| Model | % |\n| --- | ---: |\n| a\\|b | 1.0 |\n"


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


def test_a_mean_without_a_deviation_stands_alone_and_nothing_is_nothing() -> None:
    assert spread(1.25, 0.5, 1) == "1.2 ± 0.5"
    assert spread(1.25, None, 2) == "1.25"
    assert spread(None, None, 2) == ""


def test_a_cell_stays_a_cell_whatever_is_in_it() -> None:
    assert markdown(("Model",), [("a\nb\r\nc <b> \\|",)]).splitlines()[2] == "| a b c \\<b> \\\\\\| |"
    assert "a b \\\\\n" in latex(("Model",), [("a\n\nb",)]).replace("  ", " ")
