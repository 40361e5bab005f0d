"""Options whose value may be left out. typer has none, so the value is written in before typer reads the words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from herobench.task_gen.defaults import NOISE

RANDOM = "random"
"""The seed that nobody knows before."""
_VALUES = {"--noise": NOISE, "--fresh": RANDOM}


def with_values(words: Sequence[str]) -> list[str]:
    """Give each such option that has no number behind it the value that it then stands for."""
    return [
        f"{word}={_VALUES[word]}" if word in _VALUES and not after.lstrip("-").isdigit() else word
        for word, after in zip_longest(words, words[1:], fillvalue="")
    ]
