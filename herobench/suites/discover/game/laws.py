"""The hidden laws of a land: what may hold, and what each choice of a day shows of it.

A land has three laws, one for each medium: the beasts that were beaten decide what the lode gives, the wares that were
made decide how the blade turns out, and the rings that are worn decide how much of the lord is left. Each law has two
wanted things among the things of its medium. Which ones is the secret of the law. Under the form `both` nothing shows
unless both are chosen; under `each` every one counts by itself. A law with an exception has a spoiler as well: whatever
else was chosen, nothing shows if the spoiler was.

All secrets of a law are equally likely, and the laws do not depend on each other. So the worlds that are possible are
all triples of secrets, and what an answer tells of one law tells nothing of the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Literal, NamedTuple, get_args

Form = Literal["both", "each"]
FORMS: tuple[Form, ...] = get_args(Form)
FULL = 2
"""The level of a law when both wanted things were chosen and the spoiler was not. A day needs it to go on."""


class Secret(NamedTuple):
    """What is hidden of a law: the numbers of its things."""

    wanted: tuple[int, int]
    spoiler: int | None = None


class Choice(NamedTuple):
    """What a day chooses in one medium: the numbers of its things."""

    whole: frozenset[int]
    """The beasts that were beaten, the wares that were made, or the rings of which a pair is worn."""
    touched: frozenset[int]
    """The same, and for rings those of which one is worn."""

    @classmethod
    def of(cls, numbers: frozenset[int]) -> Choice:
        """Return the choice of whole things alone."""
        return cls(numbers, numbers)


@dataclass(frozen=True, slots=True)
class Law:
    """The form of one law, which is told."""

    things: int
    """How many things its medium has."""
    form: Form
    exception: bool = False

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """All pairs of things, one of which is wanted."""
        return tuple(combinations(range(self.things), 2))

    @property
    def secrets(self) -> tuple[Secret, ...]:
        """All secrets that are possible, in a fixed order."""
        return _secrets(self)

    def level(self, secret: Secret, choice: Choice) -> int:
        """Return what a choice shows, from 0 to FULL."""
        if secret.spoiler in choice.touched:
            return 0
        count = len(choice.whole & {*secret.wanted})
        return count if self.form == "each" or count == FULL else 0


@lru_cache
def _secrets(law: Law) -> tuple[Secret, ...]:
    return tuple(Secret(pair, spoiler) for pair in law.pairs for spoiler in _spoilers(law, pair))


def _spoilers(law: Law, pair: tuple[int, int]) -> Iterator[int | None]:
    if law.exception:
        yield from (number for number in range(law.things) if number not in pair)
    else:
        yield None


class Laws(NamedTuple):
    """The forms of the laws of a land, in the order in which a day meets them."""

    lode: Law
    forge: Law
    rings: Law

    @property
    def words(self) -> str:
        """The forms in a few words, such as `6 both, 5 each with an exception, 6 each`."""
        return ", ".join(f"{law.things} {law.form}{' with an exception' * law.exception}" for law in self)

    @property
    def worlds(self) -> int:
        """How many worlds are possible."""
        return len(self.lode.secrets) * len(self.forge.secrets) * len(self.rings.secrets)

    @property
    def chores(self) -> int:
        """How many days it takes to try each pair of things of each law by itself."""
        return sum(len(law.pairs) for law in self)


class Truth(NamedTuple):
    """The secrets of one possible world."""

    lode: Secret
    forge: Secret
    rings: Secret
