"""Words: pronounceable, each once, none that is taken."""

import re
from random import Random

from herobench.task_gen.rpg.remix.words import WordSource, code_of, everyday_words


def words(seed: int, number: int = 3000) -> list[str]:
    dialect = WordSource(Random(seed), everyday_words())
    return [dialect.word() for _ in range(number)]


def test_no_word_comes_twice() -> None:
    assert len(set(words(1))) == 3000


def test_words_are_capitalised_and_of_readable_length() -> None:
    assert all(re.fullmatch("[A-Z][a-z]{3,8}", word) for word in words(2))


def test_words_can_be_said() -> None:
    """No more than three consonants or two vowels follow on one another."""
    assert not [word for word in words(3) if re.search("[^aeiou]{4}|[aeiou]{3}", word.lower().replace("qu", "q"))]


def test_a_word_that_is_taken_is_not_coined() -> None:
    taken = words(4, 50)
    assert not set(taken) & {WordSource(Random(4), taken).word() for _ in range(1)}
    dialect = WordSource(Random(4), taken)
    assert not set(taken) & {dialect.word() for _ in range(500)}


def test_worlds_speak_dialects() -> None:
    assert len(set(words(5)) & set(words(6))) < 300


def test_codes_are_names_in_small_letters() -> None:
    assert code_of("Korvan Ingot") == "korvan_ingot"
