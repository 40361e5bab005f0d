"""Clues for levels that do not tell which key fits which lock: true sentences of which together one answer is left.

The answers are all ways to give each lock a key of its own. Clues are drawn until only the true one agrees with them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import permutations
from random import Random

from herobench.suites.epoch.generate.words import spelled

Answer = Mapping[str, str]
"""The key of each lock."""
Clue = tuple[str, Callable[[Answer], bool]]
"""A sentence, and whether it is true of an answer."""
_MOST_KEYS = 7
"""The most keys: the answers are looked at one by one."""


def clues_for(answer: Answer, keys: Sequence[str], epochs: Mapping[str, str], chance: Random) -> list[str] | None:
    """Return clues from which the answer follows; None if there are too few locks or too many keys for a riddle.

    `epochs` has the epoch in which each key is kept at first, and that of each lock.
    """
    locks = list(answer)
    if len(locks) < 2 or len(keys) > _MOST_KEYS:
        return None
    left: list[Answer] = [dict(zip(locks, chosen, strict=True)) for chosen in permutations(keys, len(locks))]
    drawn = ["Each lock has exactly one key that fits, and no key fits two locks."]
    sentences = list(_clues(answer, keys, epochs, chance))
    chance.shuffle(sentences)
    sentences.sort(key=lambda clue: clue[0].startswith("The key to"))  # what names a key outright comes last
    for text, holds in sentences:
        rest = [other for other in left if holds(other)]
        if len(rest) < len(left):
            left = rest
            drawn.append(text)
        if len(left) == 1:
            return drawn
    return None


def _clues(answer: Answer, keys: Sequence[str], epochs: Mapping[str, str], chance: Random) -> Iterator[Clue]:
    """Yield true clues."""
    if all(epochs[key] != epochs[lock] for lock, key in answer.items()):
        yield (
            "No lock has its key in its own epoch at first.",
            lambda other: all(epochs[key] != epochs[lock] for lock, key in other.items()),
        )
    for lock, key in answer.items():
        yield _kept(lock, epochs[key], epochs)
        yield _one_of(lock, sorted([key, chance.choice([other for other in keys if other != key])]))
        yield _just(lock, key)
    for key in keys:
        for lock in answer:
            if answer[lock] != key:
                yield _not(lock, key)


def _kept(lock: str, epoch: str, epochs: Mapping[str, str]) -> Clue:
    return f"What opens the {spelled(lock)} is kept in the {epoch} at first.", lambda one: epochs[one[lock]] == epoch


def _one_of(lock: str, keys: Sequence[str]) -> Clue:
    named = " or the ".join(map(spelled, keys))
    return f"What opens the {spelled(lock)} is the {named}.", lambda one: one[lock] in keys


def _not(lock: str, key: str) -> Clue:
    return f"The {spelled(key)} does not open the {spelled(lock)}.", lambda one: one[lock] != key


def _just(lock: str, key: str) -> Clue:
    return f"The key to the {spelled(lock)} is the {spelled(key)}.", lambda one: one[lock] == key
