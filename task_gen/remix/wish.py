"""The wish for a remixed world: a seed and a size, from which all its randomness is derived.

Written as `SEED` or `SEED:SIZE`: the text after the colon in `remix:7:0.5`.
"""

from __future__ import annotations

import hashlib
from random import Random
from typing import NamedTuple

from herobench.documents import MOST_EXACT
from herobench.errors import UsageError

FORMAT = 1
"""The version of the remix. Raise it with any change after which a wish makes another world."""
SIZES = (0.1, 20.0)
"""The smallest and the largest size; 1 is the size of the classic world."""


class Wish(NamedTuple):
    """The seed and the size that a user asks for."""

    seed: int
    size: float = 1.0

    @classmethod
    def of(cls, text: str) -> Wish:
        """Read a wish from its text. Raises UsageError if it is none."""
        seed, colon, size = text.partition(":")
        if not (seed.isascii() and seed.isdecimal()) or len(seed) > len(str(MOST_EXACT)):
            raise UsageError(_no_seed(seed))
        try:
            return cls(int(seed), float(size) if colon else 1.0).checked()
        except ValueError:
            raise UsageError(_no_size(size)) from None

    def checked(self) -> Wish:
        """Return the wish. Raises UsageError if there is no such world."""
        if not 0 <= self.seed <= MOST_EXACT:
            raise UsageError(_no_seed(self.seed))
        if not SIZES[0] <= self.size <= SIZES[1]:
            raise UsageError(_no_size(self.size))
        return Wish(self.seed, float(self.size))

    def chance(self, purpose: str) -> Random:
        """Return the random source of one part of the work. Each part has its own, so no part disturbs another."""
        asked = f"remix {FORMAT} {self.seed} {self.size!r} {purpose}"
        return Random(int.from_bytes(hashlib.sha256(asked.encode()).digest(), "big"))  # noqa: S311 - reproducible chance

    @property
    def code(self) -> str:
        """The code of the world."""
        return f"remix_{self.seed}" + ("" if self.size == 1 else f"_size_{self._factor.replace('.', '_')}")

    @property
    def options(self) -> str:
        """The command-line options for this wish."""
        return f"--seed {self.seed} --size {self._factor}"

    @property
    def _factor(self) -> str:
        return repr(self.size).removesuffix(".0")


def _no_seed(found: object) -> str:
    return f"A remixed world has a seed, a whole number from 0 to {MOST_EXACT}, and {str(found)!r:.40} is none."


def _no_size(found: object) -> str:
    return f"A remixed world has a size from {SIZES[0]:g} to {SIZES[1]:g}, and {str(found)!r:.40} is none."
