"""Turns that no oracle takes."""

from collections.abc import Iterator, Sequence
from random import Random

from herobench.conversation import Reply


def drawn_turns(way: Sequence[Reply], chance: Random) -> Iterator[Reply]:
    """Yield turns of a way in a wrong order, and words that do nothing."""
    while True:
        yield chance.choice([*way, Reply("I wait.")])
