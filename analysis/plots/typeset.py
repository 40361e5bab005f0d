"""Writes tables as Markdown, and as LaTeX with the rules of booktabs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Cells = Sequence[str]


def markdown(headers: Cells, rows: Iterable[Cells], caption: str = "") -> str:
    """Return a table in Markdown, under its caption."""
    lines = [headers, ["---", *("---:" for _ in headers[1:])], *rows]
    body = "".join("| " + " | ".join(map(_in_markdown, line)) + " |\n" for line in lines)
    return f"{caption}\n\n{body}" if caption else body


def latex(headers: Cells, rows: Iterable[Cells], caption: str = "") -> str:
    """Return a table in LaTeX; a table with a caption floats."""
    body = "".join(" & ".join(map(_escaped, line)) + " \\\\\n" for line in rows)
    head = " & ".join(map(_escaped, headers))
    columns = "l" + "r" * (len(headers) - 1)
    table = (
        f"\\begin{{tabular}}{{{columns}}}\n\\toprule\n{head} \\\\\n\\midrule\n{body}\\bottomrule\n\\end{{tabular}}\n"
    )
    if not caption:
        return table
    return f"\\begin{{table}}\n\\centering\n\\caption{{{_escaped(caption)}}}\n{table}\\end{{table}}\n"


def number(value: float | None, digits: int) -> str:
    """Return a figure with this many digits; an empty text for None."""
    return "" if value is None else f"{value:.{digits}f}"


def spread(mean: float | None, deviation: float | None, digits: int) -> str:
    """Return a mean with its deviation."""
    if mean is None:
        return ""
    return number(mean, digits) + ("" if deviation is None else f" ± {number(deviation, digits)}")


_SPECIAL = {char: f"\\{char}" for char in "%&_#${}"} | {
    "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "±": "$\\pm$",
}  # fmt: skip


def _escaped(text: str) -> str:
    return "".join(_SPECIAL.get(char, char) for char in _on_one_line(text))


def _in_markdown(text: str) -> str:
    return "".join(f"\\{char}" if char in "\\|<" else char for char in _on_one_line(text))


def _on_one_line(text: str) -> str:
    """Return a text without line breaks, because a cell ends with its line."""
    return " ".join(text.splitlines())
