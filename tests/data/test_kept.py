"""Results are kept as long as they are small enough together."""

from dataclasses import dataclass

import pytest

from herobench.data.kept import keep_last


@dataclass
class Thing:
    name: str
    size: int


def size(thing: Thing) -> int:
    return thing.size


def test_the_last_results_are_kept_as_far_as_count_and_size_allow() -> None:
    made: list[str] = []

    @keep_last(3, 10, size)
    def thing(name: str, size: int) -> Thing:
        if size < 0:
            raise ValueError(name)
        made.append(name)
        return Thing(name, size)

    def asked(name: str, size: int = 1) -> bool:
        """Whether the thing was made anew."""
        made.clear()
        assert thing(name, size).name == name
        return made == [name]

    assert [asked(name) for name in "abcabcda"] == [True, True, True, False, False, False, True, True]
    assert asked("large", 30)
    assert not asked("large", 30)
    assert asked("d")
    assert asked("large", 30)
    assert asked("e")
    thing("e", 1).size = 10  # it has grown since
    assert asked("f")
    assert asked("e")
    for _ in range(2):
        with pytest.raises(ValueError, match="wrong"):
            thing("wrong", -1)
    assert not asked("e")
