"""New words for remixed worlds, from a small grammar of syllables: every world has its own dialect.

A dialect is a choice of sounds. Its words have two or three syllables that a reader can say. No word comes twice, and
none is a word of the classic world or one of the plain nouns that names end in.
"""

from __future__ import annotations

from collections.abc import Collection
from random import Random

_ONSETS = "b c d f g h j k l m n p qu r s t th v w y z".split()
_CLUSTERS = "br cl dr fl gl gr kr pl pr sk sl st tr".split()
_VOWELS = "a e i o u".split()
_LONG_VOWELS = "ae ea ia oa au".split()
_CODAS = "l m n r s th x nd rn sk ld rk".split()
_OFFENSIVE = "anal anus cum cunt fag fuc fuk jew nazi nig porn rap sex shit slut tit".split()
"""Parts that no word may have, since they could offend readers."""
_LETTERS = range(4, 10)


class Dialect:
    """The source of new words for one world."""

    def __init__(self, chance: Random, taken: Collection[str]) -> None:
        self._chance = chance
        self._taken = {word.lower() for word in taken}
        self._onsets = chance.sample(_ONSETS, 14)
        self._clusters = chance.sample(_CLUSTERS, 6)
        self._vowels = [*_VOWELS, *_VOWELS, *chance.sample(_LONG_VOWELS, 2)]
        self._codas = ["", "", *chance.sample(_CODAS, 6)]

    def word(self) -> str:
        """Return a new word, with a capital."""
        while True:
            word = self._drawn(self._chance.choice((2, 2, 2, 3)))
            # Drawn again until it fits: rejecting keeps the words as likely as the grammar makes them.
            if len(word) in _LETTERS and word not in self._taken and not _offends(word):
                self._taken.add(word)
                return word.capitalize()

    def _drawn(self, syllables: int) -> str:
        """Draw a word of a number of syllables. Two consonants begin a syllable only after a vowel, or first of all."""
        word, coda = "", ""
        for _ in range(syllables):
            onsets = self._onsets if coda else [*self._onsets, *self._clusters]
            coda = self._chance.choice(self._codas)
            word += self._chance.choice(onsets) + self._chance.choice(self._vowels) + coda
        return word


def _offends(word: str) -> bool:
    return any(part in word for part in _OFFENSIVE)


def code_of(name: str) -> str:
    """Return the code of a thing with a name."""
    return "_".join(name.lower().split())
