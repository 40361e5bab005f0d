"""Wishes: what text asks for a world, and what is no wish."""

import pytest

from herobench.data.documents import MOST_EXACT
from herobench.data.errors import UsageError
from herobench.task_gen.rpg.remix.blueprint import Wish


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("7", Wish(7, 1.0)),
        ("7:0.5", Wish(7, 0.5)),
        ("0:20", Wish(0, 20.0)),
        (f"{MOST_EXACT}:0.1", Wish(MOST_EXACT, 0.1)),
    ],
)
def test_a_wish_is_a_seed_and_a_size(text: str, wish: Wish) -> None:
    assert Wish.of(text) == wish


@pytest.mark.parametrize("text", ["", "x", "-1", "1.5", " 7", "٣", str(MOST_EXACT + 1), "9" * 5000, ":1"])
def test_other_seeds_are_no_seeds(text: str) -> None:
    with pytest.raises(UsageError, match="has a seed, a whole number from 0"):
        Wish.of(text)


@pytest.mark.parametrize("size", ["", "x", "0", "0.09", "20.1", "-1", "nan", "inf", "1:2"])
def test_other_sizes_are_no_sizes(size: str) -> None:
    with pytest.raises(UsageError, match=r"has a size from 0\.1 to 20"):
        Wish.of(f"7:{size}")


def test_the_code_tells_wishes_apart() -> None:
    wishes = [Wish(7), Wish(8), Wish(7, 2.0), Wish(7, 0.2), Wish(7, 0.25), Wish(72)]
    assert len({wish.code for wish in wishes}) == len(wishes)
    assert Wish(7).code == "remix_7"
    assert Wish(7, 0.25).code == "remix_7_size_0_25"


def test_chance_is_of_the_wish_and_the_purpose() -> None:
    first = Wish(7).chance("words").random()
    assert first == Wish.of("7:1.0").chance("words").random()
    others = (Wish(8).chance("words"), Wish(7, 2.0).chance("words"), Wish(7).chance("map"))
    assert first not in [other.random() for other in others]
