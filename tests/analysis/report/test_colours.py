"""Colours: words can be read and marks be seen on either ground, also by those who see fewer colours."""

import re
from itertools import combinations
from pathlib import Path

from herobench.analysis.reading.checked import load_reading
from herobench.suite.plugins import READINGS, names
from tests.sizes import for_each

ROOT = Path(__file__).parents[3]
STYLES = [
    (ROOT / "analysis" / "report" / "page" / "style.css").read_text("utf-8"),
    *(load_reading(suite).style for suite in names(READINGS)),
]
STYLE = "".join(STYLES)
COLOURS = {name: pair for name, *pair in re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)", STYLE)}
Colour = tuple[float, float, float]

DEFICIENCIES = {
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
}
"""Machado, Oliveira and Fernandes (2009), at full severity, for linear light."""


def linear(colour: str) -> Colour:
    """Red, green and blue as light."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return red, green, blue


def luminance(colour: str) -> float:
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """As WCAG counts it."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def lab(light: Colour) -> Colour:
    rows = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
    x, y, z = (sum(a * b for a, b in zip(row, light, strict=True)) for row in rows)
    x, y, z = (max(0.0, value) ** (1 / 3) for value in (x / 0.9505, y, z / 1.089))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def apart(one: str, other: str, deficiency: str) -> float:
    """How different two colours look to somebody: the distance in CIE Lab."""
    seen = [
        lab(tuple(sum(a * b for a, b in zip(row, linear(colour), strict=True)) for row in DEFICIENCIES[deficiency]))  # type: ignore[arg-type]
        for colour in (one, other)
    ]
    return float(sum((a - b) ** 2 for a, b in zip(*seen, strict=True)) ** 0.5)


@for_each("theme", [0, 1])
@for_each("ground", ["paper", "card", "faint"])
def test_words_can_be_read(theme: int, ground: str) -> None:
    for words in ("ink", "soft", "accent", "good", "bad"):
        assert contrast(COLOURS[words][theme], COLOURS[ground][theme]) >= 4.5, words


@for_each("theme", [0, 1])
def test_marks_can_be_seen(theme: int) -> None:
    for number in range(7):
        assert contrast(COLOURS[f"h{number}"][theme], COLOURS["card"][theme]) >= 2.9, number


@for_each("theme", [0, 1])
def test_numbers_can_be_read_on_the_deepest_heat(theme: int) -> None:
    heat, ground = COLOURS["heat"][theme], COLOURS["faint"][theme]
    parts = [(int(heat[at : at + 2], 16) * 0.6 + int(ground[at : at + 2], 16) * 0.4) for at in (1, 3, 5)]
    assert contrast(COLOURS["ink"][theme], "#" + "".join(f"{round(part):02x}" for part in parts)) >= 4.5


@for_each("theme", [0, 1])
@for_each("deficiency", DEFICIENCIES)
def test_the_first_runs_are_told_apart_with_fewer_colours(theme: int, deficiency: str) -> None:
    for one, other in combinations([COLOURS[f"h{number}"][theme] for number in range(4)], 2):
        assert apart(one, other, deficiency) > 15, (one, other)


def test_there_is_no_colour_outside_of_the_list() -> None:
    listed = re.compile(r"--[\w-]+: light-dark\(.*?\)")
    assert re.findall(r"#[0-9a-f]{3,8}\b", listed.sub("", STYLE)) == []
