"""`herobench world show`: what is printed."""

import json
from typing import Any

from herobench.suites.rpg.game.world import World
from tests.builders import TINY
from tests.golden import Golden
from tests.program import Done, herobench
from tests.sizes import for_each


def shown(done: Done) -> str:
    """Return the output with a single space between words."""
    assert (done.returncode, done.stderr) == (0, "")
    return " ".join(done.stdout.split())


def told(done: Done) -> Any:
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def test_without_a_name_it_is_the_world_that_is_shown(tiny: World, golden: Golden) -> None:
    golden(herobench("world", "show", TINY))
    (row,) = told(herobench("world", "show", TINY, "--json"))
    assert (row["kind"], row["digest"], row["start"]) == ("world", tiny.digest, {"x": 0, "y": 0})


def test_a_thing_is_shown_with_where_it_comes_from_and_its_recipe(golden: Golden) -> None:
    golden(herobench("world", "show", "classic", "Steel Battleaxe"), herobench("world", "show", TINY, "rat"))


def test_a_place_is_shown_by_its_coordinates(golden: Golden) -> None:
    golden(herobench("world", "show", TINY, "2,1"), herobench("world", "show", TINY, "--", "-1,-1"))


def test_what_there_is_not_is_refused_with_near_names(golden: Golden) -> None:
    for world, name in (("classic", "wolfs"), (TINY, "zzz"), ("classic", "zzz"), (TINY, "50, 0")):
        golden(herobench("world", "show", world, name))
    golden(herobench("world", "show", "nowhere"))


@for_each("columns", [80, 120])
@for_each("args", [("show", "classic"), ("show", "classic", "rosenblood")])
def test_no_line_is_longer_than_the_terminal_is_wide(args: tuple[str, ...], columns: int) -> None:
    done = herobench("world", *args, columns=columns)
    assert (done.returncode, done.stderr) == (0, "")
    assert max(map(len, done.stdout.splitlines())) <= columns
    assert "…" not in done.stdout
