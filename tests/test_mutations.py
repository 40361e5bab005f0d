"""Documents that are spoilt at random are either still valid or refused with the place of the problem.

A mutation goes to a random place of a document and deletes it, puts something else there, doubles an entry of a list or
renames a key; or it strikes the bytes of a file.
"""

import copy
from collections.abc import Iterator
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from herobench.data.documents import schema_problems
from herobench.data.errors import Problem
from herobench.suites.rpg.game.events import Action, Value
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.hero import HeroStart
from herobench.suites.rpg.game.responses import item_record, monster_record, response, tile_record
from herobench.suites.rpg.game.scoring import ideal
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import DOCUMENTS, World
from herobench.suites.rpg.worlds.content import check_world, load_rules
from herobench.suites.rpg.worlds.task_file import task_problems
from herobench.task_gen.rpg.published import published_tasks
from herobench.task_gen.rpg.tasks.spec import total_difficulty
from tests.builders import TINY, Json, documents, hero_row, task_row
from tests.sizes import many
from tests.task_gen.rpg.test_published import craft_entry, kill_entry

Place = tuple[Any, Any]
"""A list or object of a document, and the index or key of something in it."""

rules = load_rules()
tiny_documents = documents(TINY)


# -- mutations --------------------------------------------------------------------------------------------------------

numbers = st.one_of(
    st.integers(-3, 60),
    st.sampled_from([2**31, 2**63, -(2**63), 10**18, 10**100, 10**4000]),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([0.0, -0.0, 1.0, 0.5, 1e300, 5e-324]),
)
texts = st.one_of(
    st.text(max_size=5),
    st.sampled_from(["", "every item", "clay\n", "x" * 300, "half \ud83d", "\x00", "consumable1", "hp", "$", "a.b"]),
)
scalars = st.one_of(st.none(), st.booleans(), numbers, texts)
values = st.one_of(scalars, st.lists(scalars, max_size=3), st.dictionaries(texts, scalars, max_size=3))


def places(document: Any) -> list[Place]:
    """Every place of a document below its root, walked without recursion."""
    found: list[Place] = []
    waiting = [document]
    while waiting:
        holder = waiting.pop()
        keys = list(holder) if isinstance(holder, dict) else range(len(holder))
        found += [(holder, key) for key in keys]
        waiting += [holder[key] for key in keys if isinstance(holder[key], dict | list)]
    return found


def chosen(draw: st.DrawFn, every: list[Place]) -> Place:
    """One of these places, drawn by its number: what is drawn is kept, and places can be large."""
    return every[draw(st.integers(0, len(every) - 1))]


def mutated(draw: st.DrawFn, document: Any, times: int) -> Any:
    """A copy of a document that is mutated so many times."""
    spoilt = copy.deepcopy(document)
    for _ in range(times):
        every = places(spoilt)
        if not every:
            break
        holder, key = chosen(draw, every)
        match draw(st.sampled_from(["delete", "replace", "take", "double", "rename"])):
            case "delete":
                del holder[key]
            case "replace":
                holder[key] = draw(values)
            case "take":
                other, name = chosen(draw, every)
                holder[key] = copy.deepcopy(other[name])
            case "double" if isinstance(holder, list):
                holder.insert(draw(st.integers(0, len(holder))), copy.deepcopy(holder[key]))
            case "rename" if isinstance(holder, dict):
                name = draw(texts) if draw(st.booleans()) else str(chosen(draw, every)[1])
                holder[name] = holder.pop(key)
    return spoilt


# -- what has to hold -------------------------------------------------------------------------------------------------


def assert_named(problems: list[Problem] | tuple[Problem, ...], file: str, *, read: bool) -> None:
    """Each problem says in which file it is and, where that could be read, at what path; and can be printed."""
    assert problems
    for problem in problems:
        assert problem.file.startswith(file)
        assert problem.path.startswith("$") or not read
        assert problem.expected
        str(problem).encode("utf-8")


def assert_sound(world: World) -> None:
    """A world does what worlds are for."""
    again = World.from_source(world.source)
    assert again == world
    assert again.digest == world.digest
    for code in world.items:
        assert isinstance(item_record(world.items[code]), dict)
        assert code in world.recipe_tree(code) | world.starter_items
    for code in world.monsters:
        assert monster_record(world, code)["hp"] >= 1
    top = {"level": rules.level_cap, "xp": 0, "next_level_xp": 150}
    able = hero_row(
        level=rules.level_cap,
        skills=dict.fromkeys(world.skills, top),
        inventory=dict.fromkeys(world.items, 10**6),
    )
    for hero, edition in ((able, rules), (hero_row(skills={}), load_rules("paper-early"))):
        hero |= {"x": world.start[0], "y": world.start[1]}
        play(Game(world, edition, HeroStart.from_row(hero)))


def play(game: Game) -> None:
    """Do everything that can be done, at every place; no action raises, and each is answered."""
    for name, *arguments in everything(game.world):
        event = game.act(Action(name, ("Hero", *arguments)))
        status, body = response(game, event)
        assert status == event.status
        assert body
    assert game.hero.place in game.world.tiles


def everything(world: World) -> Iterator[tuple[str, *tuple[Value, ...]]]:
    for slot in world.slots:
        for item in world.items.values():
            if slot.startswith(item.type):
                yield "equip", slot, item.code, 3
    for place in world.tiles:
        assert tile_record(world, place)["x"] == place[0]
        yield "move", *place
        yield ("fight",)
        yield "gather", 3
        for code in world.items:
            yield "craft", code, 2
        yield "buy", next(iter(world.items), "nothing")
    for slot in world.slots:
        yield "unequip", slot


# -- worlds -----------------------------------------------------------------------------------------------------------


@st.composite
def spoilt_worlds(draw: st.DrawFn) -> dict[str, Json]:
    content = copy.deepcopy(tiny_documents)
    for name in draw(st.lists(st.sampled_from(DOCUMENTS), min_size=1, max_size=2)):
        content[name] = mutated(draw, content[name], draw(st.integers(1, 2)))
    return content


@st.composite
def finely_spoilt_worlds(draw: st.DrawFn) -> dict[str, Json]:
    """Worlds of which a few scalars have another scalar's place: most of these have the right shapes."""
    content = copy.deepcopy(tiny_documents)
    every = [place for place in places(content) if not isinstance(place[0][place[1]], dict | list)]
    for _ in range(draw(st.integers(1, 3))):
        holder, key = chosen(draw, every)
        if isinstance(holder[key], str):
            other, name = chosen(draw, [place for place in every if isinstance(place[0][place[1]], str)])
            holder[key] = other[name]
        else:
            holder[key] = draw(st.integers(-5, 50))
    return content


@settings(max_examples=many(1500, 60), deadline=None, derandomize=True)
@given(spoilt_worlds() | finely_spoilt_worlds())
def test_a_mutated_world_is_sound_or_refused(content: dict[str, Json]) -> None:
    problems = check_world(content, "tiny")
    if problems:
        assert_named(problems, "tiny/", read=True)
    else:
        assert_sound(World.from_documents(content))


# -- tasks ------------------------------------------------------------------------------------------------------------


def full_row(world: World) -> Json:
    """A task row in which every field holds something."""
    hero = hero_row(
        worn={"blade": "twig", "charm2": "pearl_charm"},
        consumables={"consumable2": {"item": "broth", "quantity": 3}},
        inventory={"clay": 2, "tonic": 1},
        stats={"hp": 90, "attack_heat": 1, "dmg_frost": -2},
    )
    knowledge = {
        "recipes": ["bar_sword", "bar"], "materials": ["ore", "salt"], "sold": ["salt"], "monsters": ["rat"],
        "places": [[1, 0], [2, 1]], "stats": ["club"],
    }  # fmt: skip
    return task_row(world, hero=hero, knowledge=knowledge, mechanics={"leveling": True, "drop_scale": 0.5})


def assert_playable(task: Task, world: World) -> None:
    """A task does what tasks are for."""
    assert Task.from_row(task.as_row()) == task
    assert schema_problems(task.as_row(), "task", "row") == []
    assert total_difficulty(world, task) >= 1
    assert ideal(task, world)
    play(Game(world, task.rules(rules), task.hero, task.seed))


@settings(max_examples=many(700, 30), deadline=None, derandomize=True)
@given(data=st.data())
def test_a_mutated_task_is_playable_or_refused(tiny: World, data: st.DataObject) -> None:
    row = data.draw(st.composite(mutated)(full_row(tiny), data.draw(st.integers(1, 2))))
    problems = schema_problems(row, "task", "tasks:1") or list(task_problems(row, tiny, "tasks:1"))
    if problems:
        assert_named(problems, "tasks:1", read=True)
    else:
        assert_playable(Task.from_row(row), tiny)


# -- published files --------------------------------------------------------------------------------------------------


def published(world: World) -> Json:
    return {"1": [kill_entry(world), craft_entry(world)]}


@settings(max_examples=many(700, 30), deadline=None, derandomize=True)
@given(data=st.data())
def test_a_mutated_published_file_gives_playable_tasks_or_problems(tiny: World, data: st.DataObject) -> None:
    document = data.draw(st.composite(mutated)(published(tiny), data.draw(st.integers(1, 2))))
    problems = schema_problems(document, "published-tasks", "file")
    if problems:
        assert_named(problems, "file", read=True)
        return
    for found in published_tasks(document, tiny, "file"):
        if isinstance(found, Task):
            assert_playable(found, tiny)
        else:
            assert_named([found], "file", read=True)
