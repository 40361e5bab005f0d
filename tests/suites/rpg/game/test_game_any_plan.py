"""What holds whatever a plan does: random plans in the tiny world, by all editions, sure of their drops or not."""

import json
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from herobench.suites.rpg.game.episode import read_repeats, write_trace
from herobench.suites.rpg.game.events import SIGNATURES, Action, CallError, Event, Value
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.hero import HeroStart
from herobench.suites.rpg.game.responses import character, response
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.world import Place, World, slot_type
from herobench.suites.rpg.worlds.content import edition_names, load_rules
from tests.builders import TINY, documents, hero_row
from tests.sizes import many

DOCUMENTS = documents(TINY)
EDITIONS = [load_rules(name) for name in edition_names()]
CODES = ["clay", "ore", "pearl", "salt", "fur", "brick", "bar", "club", "bar_sword", "fur_coat", "twig", "pearl_charm",
         "drake_charm", "broth", "tonic", "moon_blade", "nothing"]  # fmt: skip
PLENTY = dict.fromkeys(CODES[:-2], 12)
SLOTS = ["blade", "coat", "charm1", "charm2", "consumable1", "consumable2", "charm"]
PROGRESS = {"level": st.integers(1, 41), "xp": st.integers(0, 160), "next_level_xp": st.integers(1, 200)}

start = st.builds(
    hero_row,
    level=st.integers(1, 41),
    xp=st.integers(0, 160),
    stats=st.fixed_dictionaries({"hp": st.integers(1, 200)}, optional={"attack_heat": st.integers(-5, 60)}),
    skills=st.fixed_dictionaries(
        {}, optional={skill: st.fixed_dictionaries(PROGRESS) for skill in ("digging", "smithing", "brewing")}
    ),
    worn=st.fixed_dictionaries({}, optional={"blade": st.just("club"), "charm1": st.just("drake_charm")}),
    consumables=st.fixed_dictionaries(
        {},
        optional={
            slot: st.fixed_dictionaries({"item": st.sampled_from(["broth", "tonic"]), "quantity": st.integers(1, 5)})
            for slot in ("consumable1", "consumable2")
        },
    ),
    inventory=st.just({})
    | st.just(PLENTY)
    | st.dictionaries(st.sampled_from([*PLENTY]), st.integers(1, 60), max_size=8),
    x=st.integers(-1, 3),
    y=st.integers(-1, 2),
).map(HeroStart.from_row)

rules = st.builds(
    lambda edition, scale: replace(edition, drops="by_rate", drop_scale=scale) if scale else edition,
    st.sampled_from(EDITIONS),
    st.none() | st.floats(0.01, 50),
)

anything: st.SearchStrategy[Value] = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5)
)
likely: dict[str, st.SearchStrategy[Value]] = {
    "name": st.just("Hero"),
    "x": st.integers(-1, 3),
    "y": st.integers(-1, 2),
    "slot": st.sampled_from(SLOTS),
    "code": st.sampled_from(CODES),
    "quantity": st.integers(1, 4) | st.sampled_from([0, 49, 51, 100, 101, 1001, 10**9, "2", 3.0]),
}
makeable: dict[str, st.SearchStrategy[Value]] = {
    "code": st.sampled_from(["brick", "bar", "club", "bar_sword", "fur_coat", "pearl_charm", "broth", "tonic"]),
    "quantity": st.integers(1, 3),
}


@st.composite
def calls(draw: st.DrawFn, name: str, values: dict[str, st.SearchStrategy[Value]] = likely) -> Action:
    """A call that fits, with some arguments by keyword."""
    signature = SIGNATURES[name]
    needed = sum(parameter.default is None for parameter in signature)
    drawn = [(each.name, draw(values[each.name])) for each in signature[: draw(st.integers(needed, len(signature)))]]
    positional = draw(st.integers(0, len(drawn)))
    return Action(name, tuple(value for _, value in drawn[:positional]), tuple(drawn[positional:]))


def errand(place: Place, action: Action) -> list[Action]:
    return [Action("move", ("Hero", *place)), action]


def put_on(code: str, slot: str) -> list[Action]:
    return [Action("unequip", ("Hero", slot)), Action("equip", ("Hero", slot, code))]


errands = st.one_of(
    st.builds(errand, st.sampled_from([(1, 0), (1, 0), (2, 0), (3, 0)]), calls("fight")),
    st.builds(errand, st.sampled_from([(0, 1), (1, 1)]), calls("gather")),
    st.builds(errand, st.sampled_from([(2, 1), (2, 1), (3, 1)]), calls("craft", likely | makeable)),
    st.builds(errand, st.just((0, 2)), calls("buy", likely | {"code": st.sampled_from(["salt", "twig"])})),
    st.builds(put_on, st.sampled_from(["club", "bar_sword"]), st.just("blade")),
    calls("equip", likely | {"slot": st.just("consumable1"), "code": st.sampled_from(["broth", "tonic"])}).map(
        lambda action: [action]
    ),
)
one_call = st.sampled_from([*SIGNATURES]).flatmap(calls).map(lambda action: [action])
odd_call = st.builds(
    Action,
    st.sampled_from([*SIGNATURES]),
    st.lists(anything, max_size=5).map(tuple),
    st.dictionaries(st.sampled_from([*likely, "speed"]), anything, max_size=3).map(lambda named: tuple(named.items())),
    st.none() | st.integers(1, 99),
).map(lambda action: [action])
parts = st.one_of(errands, errands, errands, one_call, one_call, odd_call)
plans = st.lists(parts, min_size=5, max_size=25).map(lambda parts: [action for part in parts for action in part])
seeds = st.integers(0, 2**63 - 1)


def play(game: Game, plan: list[Action]) -> list[Event | None]:
    """What came of each action; None for a call that did not fit."""
    return [attempt(game, action) for action in plan]


def attempt(game: Game, action: Action) -> Event | None:
    recorded = len(game.events)
    try:
        event = game.act(action)
    except CallError:
        assert len(game.events) == recorded
        return None
    assert game.events[recorded:] == [event]
    assert event.action == action
    return event


def check(game: Game, rules: Rules, began: HeroStart) -> None:
    """What never stops being true of a hero."""
    world, hero = game.world, game.hero
    assert all(type(owned) is int and owned > 0 for owned in hero.inventory.values())
    assert hero.inventory.keys() <= world.items.keys()
    assert hero.place in world.tiles or hero.place == began.place
    for progress, (level, _, _) in [
        (hero.combat, began.combat),
        *((hero.skills[skill], began.skills.get(skill, (1, 0, 150))) for skill in world.skills),
    ]:
        assert level <= progress.level <= max(level, rules.level_cap)
        assert progress.xp >= 0
        assert progress.level >= rules.level_cap or progress.xp < progress.next_level_xp or progress.level == level
    for slot, code in hero.worn.items():
        assert world.items[code].type == slot_type(slot)
    for stack in hero.consumables.values():
        assert stack.quantity > 0
        assert world.items[stack.item].type == "consumable"
    bare = began.stats["hp"] + rules.hp_per_level * (hero.combat.level - began.combat[0])
    assert hero.stats.hp == bare + sum(world.items[code].worn.hp for code in hero.worn.values())


@settings(deadline=None, max_examples=many(300))
@given(rules=rules, began=start, seed=seeds, plan=plans)
def test_no_plan_breaks_the_game(tiny: World, rules: Rules, began: HeroStart, seed: int, plan: list[Action]) -> None:
    game = Game(tiny, rules, began, seed)
    for action in plan:
        event = attempt(game, action)
        check(game, rules, began)
        if event is None:
            continue
        assert event.ok == (event.reason == "")
        assert event.status in {200, 404, 422, 472, 478, 490, 491, 493, 494, 496, 498, 500, 598}
        assert list(read_repeats(json.loads(json.dumps(write_trace([event]), allow_nan=False)))) == [(event, 1)]
        status, body = response(game, event)
        assert status == event.status
        assert json.loads(json.dumps(body, allow_nan=False)) == body


@settings(deadline=None, max_examples=many(100))
@given(rules=rules, began=start, seed=seeds, plan=plans)
def test_a_refused_action_changes_nothing_but_the_record(
    tiny: World, rules: Rules, began: HeroStart, seed: int, plan: list[Action]
) -> None:
    game = Game(tiny, rules, began, seed)
    for action in plan:
        before = character(tiny, game.hero)
        event = attempt(game, action)
        if event is None or not event.ok:
            assert character(tiny, game.hero) == before


@settings(deadline=None, max_examples=many(100))
@given(rules=rules, began=start, seed=seeds, plan=plans)
def test_the_same_actions_give_the_same_events(
    tiny: World, rules: Rules, began: HeroStart, seed: int, plan: list[Action]
) -> None:
    """Side by side, and later in a world built anew: nothing is kept anywhere but in the game."""
    one, other = Game(tiny, rules, began, seed), Game(tiny, rules, began, seed)
    together = [(attempt(one, action), attempt(other, action)) for action in plan]
    assert all(ours == theirs for ours, theirs in together)
    later = Game(World.from_documents(DOCUMENTS), rules, HeroStart.from_row(began.as_row()), seed)
    play(later, plan)
    assert one.events == other.events == later.events
    assert character(tiny, one.hero) == character(tiny, later.hero)


@settings(deadline=None, max_examples=many(60))
@given(rules=rules, began=start, seed=seeds, plan=plans)
def test_what_a_game_is_given_stays_as_it_was(rules: Rules, began: HeroStart, seed: int, plan: list[Action]) -> None:
    world, untouched = World.from_documents(DOCUMENTS), World.from_documents(DOCUMENTS)
    row = json.dumps(began.as_row())
    play(Game(world, rules, began, seed), plan)
    assert json.dumps(began.as_row()) == row
    for name in ("start", "skills", "slots", "monsters", "resources", "items", "distractors", "tiles", "source"):
        assert getattr(world, name) == getattr(untouched, name), name
