"""The hidden laws of a land: what may hold, and what each choice of a day shows of it.

A land has three laws, one for each medium: the beasts that were beaten decide what the lode gives, the wares that were
made decide how the blade turns out, and the rings that are worn decide how much of the lord is left. Each law has two
wanted things among the things of its medium. Which ones is the secret of the law. Under the form `both` nothing shows
unless both are chosen; under `each` every one counts by itself. A law with an exception has a spoiler as well: whatever
else was chosen, nothing shows if the spoiler was.

All secrets of a law are equally likely, and the laws do not depend on each other. So the worlds that are possible are
all triples of secrets. Under three open laws an answer tells of one of them alone. If the forge is hidden, the fight
with the lord shows the sum of its level and that of the rings: how many things are right, and not which.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from typing import Literal, NamedTuple

Form = Literal["both", "each"]
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
    hidden: bool = False
    """True for a forge that does not show how the blade turned out."""

    @property
    def full(self) -> int:
        """The level at which all is right."""
        return FULL

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


class JointChoice(NamedTuple):
    """What a day chooses under a joint law."""

    wares: Choice
    rings: Choice


class JointSecret(NamedTuple):
    """The secrets of a joint law."""

    forge: Secret
    rings: Secret

    @property
    def wanted(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The pairs of things that are right."""
        return self.forge.wanted, self.rings.wanted


@dataclass(frozen=True, slots=True)
class JointLaw:
    """A hidden forge and the rings, which show together."""

    forge: Law
    rings: Law

    @property
    def full(self) -> int:
        """The level at which all is right."""
        return self.forge.full + self.rings.full

    @property
    def pairs(self) -> tuple[tuple[tuple[int, int], tuple[int, int]], ...]:
        """All that may be wanted."""
        return tuple(product(self.forge.pairs, self.rings.pairs))

    @property
    def secrets(self) -> tuple[JointSecret, ...]:
        """All secrets that are possible, in a fixed order."""
        return _joint_secrets(self)

    def level(self, secret: JointSecret, choice: JointChoice) -> int:
        """Return how many things of a choice are right."""
        return self.forge.level(secret.forge, choice.wares) + self.rings.level(secret.rings, choice.rings)


@lru_cache
def _joint_secrets(law: JointLaw) -> tuple[JointSecret, ...]:
    return tuple(JointSecret(*both) for both in product(law.forge.secrets, law.rings.secrets))


ShownLaw = Law | JointLaw
AnyChoice = Choice | JointChoice
AnySecret = Secret | JointSecret


class Laws(NamedTuple):
    """The forms of the laws of a land, in the order in which a day meets them."""

    lode: Law
    forge: Law
    rings: Law

    @property
    def words(self) -> str:
        """The forms in a few words, such as `6 both, 5 each with an exception, 6 each`."""
        texts = (
            f"{law.things} {law.form}{' with an exception' * law.exception}{' hidden' * law.hidden}" for law in self
        )
        return ", ".join(texts)

    @property
    def shown(self) -> tuple[ShownLaw, ...]:
        """The laws as answers show them, in the order in which a day meets them."""
        return (self.lode, JointLaw(self.forge, self.rings)) if self.forge.hidden else tuple(self)

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

    def shown(self, laws: Laws) -> tuple[AnySecret, ...]:
        """Return the secrets as answers show them."""
        return (self.lode, JointSecret(self.forge, self.rings)) if laws.forge.hidden else tuple(self)

    @classmethod
    def of(cls, secrets: Sequence[AnySecret]) -> Truth:
        """Return the world of secrets as answers show them."""
        flat = [part for secret in secrets for part in (secret if isinstance(secret, JointSecret) else (secret,))]
        return cls(*flat)
