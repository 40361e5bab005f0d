"""The templates are true of the game: what they say is done in a game, or computed, and compared."""

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from herobench.prompts.rpg.render import render_prompt
from herobench.suites.rpg.game import game
from herobench.suites.rpg.game.events import MOST_WORN, OK, SIGNATURES, CallError, Refusal, Value
from herobench.suites.rpg.game.game import MOST_CHANCES
from herobench.suites.rpg.game.hero import NEXT_LEVEL_XP
from herobench.suites.rpg.game.responses import response
from herobench.suites.rpg.game.rules import CRAFTING, DEFEAT_COST, GATHERING, next_combat_level
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.play.execution import extract_code
from herobench.suites.rpg.sandbox import Limits
from herobench.suites.rpg.sandbox.language import MOST_CONTINUATIONS, MOST_NESTED, Rejected, compile_plan
from herobench.suites.rpg.sandbox.transformer import _MOST_DIGITS
from herobench.suites.rpg.worlds.content import edition_names, load_rules
from tests.builders import act, craft_task, hero_row, new_game, tiny_task
from tests.plays import played
from tests.sizes import for_each
from tests.suites.rpg.sandbox.plans import recorded

STANDARD = load_rules()
BY_CHANCE = replace(STANDARD, drops="by_rate", drop_scale=2.0)


def prompt(world: World, task: Task | None = None, edition: str = "standard") -> str:
    return render_prompt(world, task or tiny_task(world), load_rules(edition))


def straight(world: World, task: Task | None = None, edition: str = "standard") -> str:
    task = task or tiny_task(world)
    return prompt(world, replace(task, mechanics=replace(task.mechanics, plan="straight")), edition)


# -- actions -----------------------------------------------------------------------------------------------------------


@for_each("told", [prompt, straight])
def test_every_action_and_slot_is_named(told: Callable[[World], str], tiny: World) -> None:
    text = told(tiny)
    for action, signature in SIGNATURES.items():
        shown = ", ".join(
            parameter.name if parameter.default is None else f"{parameter.name}={parameter.default}"
            for parameter in signature
        )
        assert f"`{action}({shown})`" in text
    assert ", ".join(tiny.slots) in text
    assert ", ".join(tiny.elements) in text


REFUSALS: list[tuple[str, tuple[Value, ...], dict[str, object]]] = [
    ("move", (99, 99), {}),
    ("move", (0, 0), {}),
    ("fight", (), {}),
    ("gather", (), {}),
    ("gather", (), {"x": 1, "y": 1, "skills": {}}),
    ("craft", ("ore", 1), {}),
    ("craft", ("bar", 1), {}),
    ("equip", ("blade", "nothing"), {}),
    ("equip", ("blade", "fur_coat"), {"inventory": {"fur_coat": 1}}),
    ("equip", ("blade", "club"), {}),
    ("equip", ("blade", "club"), {"worn": {"blade": "twig"}, "inventory": {"club": 1}}),
    ("equip", ("coat", "fur_coat"), {"level": 0, "inventory": {"fur_coat": 1}}),
    ("equip", ("consumable1", "broth", 50),
     {"consumables": {"consumable1": {"item": "broth", "quantity": 1}}, "inventory": {"broth": 1}}),
    ("unequip", ("blade",), {}),
    ("unequip", ("consumable1", 2), {"consumables": {"consumable1": {"item": "broth", "quantity": 1}}}),
    ("buy", ("ore",), {"x": 0, "y": 2}),
    ("buy", ("salt",), {}),
]  # fmt: skip
"""One call for each way to be refused, beside what any action is refused for."""


def refusals(world: World) -> Iterator[tuple[int, str]]:
    """Return the statuses of refusals by action, found by playing all of them."""
    for action, args, hero in REFUSALS:
        event = act(new_game(world, **hero), action, *args)
        yield event.status, action
    values: dict[str, Value] = {"x": 1, "y": 0, "slot": "blade", "code": "club", "quantity": 1}
    for action, signature in SIGNATURES.items():
        stranger = {parameter.name: values.get(parameter.name, "Villain") for parameter in signature}
        wrong: dict[str, Value] = {**stranger, "name": None}
        for keywords in (stranger, wrong):
            yield new_game(world).act(game.Action(action, (), tuple(keywords.items()))).status, action


def table(text: str, heading: str) -> list[list[str]]:
    """Return the rows of a table, given its first heading."""
    rows = text.partition(f"| {heading} |")[2].partition("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows]


@for_each("text", [prompt, straight])
def test_the_table_of_errors_is_what_the_game_refuses(text: Callable[[World], str], tiny: World) -> None:
    told: set[tuple[int, str]] = set()
    for status, actions, _ in table(text(tiny), "status"):
        named = re.findall(r"`(\w+)`", actions) or list(SIGNATURES)
        told |= {(int(status), action) for action in named}
    assert told == set(refusals(tiny))


@for_each("text", [prompt, straight])
def test_no_other_status_can_be_raised(text: Callable[[World], str], tiny: World) -> None:
    raised = {refusal.code for refusal in Refusal}
    assert raised == {int(status) for status, *_ in table(text(tiny), "status")}


def test_a_refused_action_changes_nothing_and_answers_as_told(tiny: World) -> None:
    for action, args, hero in REFUSALS:
        here = new_game(tiny, **hero)
        before = response(here, here.act(game.Action("move", ("Hero", 3, 0))))[1]["character"]
        here = new_game(tiny, **hero)
        event = act(here, action, *args)
        status, body = response(here, event)
        assert body["error"]["code"] == status
        assert body["error"]["message"]
        assert response(here, act(here, "move", 3, 0))[1]["character"] == before
    status, body = response(here, act(here, "move", "far", 0))
    assert (status, list(body)) == (422, ["detail"])
    with pytest.raises(CallError):
        act(here, "move", 1)
    assert issubclass(CallError, TypeError)


def test_a_failed_craft_says_what_was_wrong_as_told(tiny: World) -> None:
    here = new_game(tiny, x=2, y=1)
    errors = response(here, act(here, "craft", "bar", 1))[1]["error"]["message"]["errors"]
    assert errors == {"on_workshop_tile": True, "needed_skill_level": True, "enough_items_for_craft": False}
    assert all(f"`{name}`" in prompt(tiny) for name in errors)


CARRIED_OUT: dict[str, tuple[Value, ...]] = {
    "move": (1, 0),
    "fight": (),
    "gather": (2,),
    "craft": ("bar", 1),
    "equip": ("coat", "fur_coat"),
    "unequip": ("blade",),
    "buy": ("salt", 2),
}
WHERE = {"fight": (1, 0), "gather": (1, 1), "craft": (2, 1), "buy": (0, 2)}


def test_bodies_have_the_fields_that_are_told(tiny: World) -> None:
    rows = {name: fields for names, fields in table(prompt(tiny), "action") for name in re.findall(r"`(\w+)`", names)}
    assert rows.keys() == SIGNATURES.keys()
    for action, args in CARRIED_OUT.items():
        x, y = WHERE.get(action, (0, 0))
        stats = {"hp": 100, "attack_heat": 100}
        bag = {"fur_coat": 1, "ore": 4}
        here = new_game(tiny, x=x, y=y, stats=stats, worn={"blade": "club"}, inventory=bag)
        status, body = response(here, act(here, action, *args))
        assert status == OK, action
        outer = next(iter(body))
        inner = body[outer] if isinstance(body[outer], dict) else {}
        names = set(re.findall(r"`(\w+)`", rows[action]))
        assert names <= {*body, *inner, *(inner.get("content") or {})}, action
        assert body.keys() - {"character"} <= names
        assert all(entry.keys() == {"slot", "code", "quantity"} for entry in body["character"]["inventory"])


# -- fights ------------------------------------------------------------------------------------------------------------


def test_death_leads_back_to_the_start_and_costs_nothing_else(tiny: World) -> None:
    here = new_game(tiny, x=2, y=0, worn={"blade": "club"}, inventory={"ore": 3})
    status, body = response(here, act(here, "fight"))
    assert (status, body["fight"]["result"]) == (OK, "lose")
    expected = new_game(tiny, x=0, y=0, worn={"blade": "club"}, inventory={"ore": 3})
    act(expected, "move", 1, 0)
    act(here, "move", 1, 0)
    assert response(here, here.events[-1])[1] == response(expected, expected.events[-1])[1]
    assert "back at\n(0, 0), and it costs him nothing else" in prompt(tiny)


def test_what_a_defeat_costs_is_told_as_it_is(tiny: World) -> None:
    texts = {}
    for defeat in ("free", "counted", "final"):
        row = {"leveling": False, "drop_scale": None, **({} if defeat == "free" else {"defeat": defeat})}
        texts[defeat] = " ".join(prompt(tiny, tiny_task(tiny, mechanics=row)).split())
        assert f"not won after {STANDARD.rounds} rounds" in texts[defeat]
    assert texts["free"] == " ".join(prompt(tiny).split())
    free = "it costs him nothing else"
    assert [free in text for text in texts.values()] == [True, False, False]
    assert ["he is back at (0, 0)" in text for text in texts.values()] == [True, True, False]
    assert f"Each lost fight takes {DEFEAT_COST} % off the score" in texts["counted"]
    assert "The first lost fight ends the script at once" in texts["final"]


def test_who_runs_out_of_rounds_has_lost_and_stays(tiny: World) -> None:
    here = new_game(tiny, x=3, y=0, worn={"blade": "club"})
    fight = response(here, act(here, "fight"))[1]["fight"]
    assert (fight["result"], fight["turns"]) == ("lose", STANDARD.rounds + 1)
    assert here.hero.place == (3, 0)
    assert f"not won after {STANDARD.rounds} rounds" in prompt(tiny)


def test_a_strike_takes_off_what_the_formula_says(tiny: World) -> None:
    (formula,) = (line.strip() for line in prompt(tiny).splitlines() if line.startswith("    attack_E"))
    here = new_game(tiny, x=2, y=0, worn={"blade": "bar_sword", "coat": "fur_coat", "charm1": "pearl_charm"})
    hero, drake = here.hero.stats, tiny.monsters["drake"].stats

    def strike(attacker: object, defender: object) -> float:
        sides = (attacker.attack, attacker.damage, defender.resistance)  # type: ignore[attr-defined]
        return sum(
            eval(formula, {"attack_E": attack, "dmg_E": damage, "res_E": resistance})
            for attack, damage, resistance in zip(*sides, strict=True)
            if attack > 0
        )

    health, enemy = float(hero.hp), float(drake.hp)
    rounds = 0
    while health > 0:
        rounds += 1
        enemy -= strike(hero, drake)
        if enemy <= 0:
            break
        health -= strike(drake, hero)
    fought = act(here, "fight").detail
    assert isinstance(fought, game.Fought)
    assert (fought.won, fought.rounds) == (enemy <= 0, rounds)
    assert (fought.hero_hp, fought.monster_hp) == pytest.approx((health, enemy))


# -- drops -------------------------------------------------------------------------------------------------------------


def by_chance(world: World) -> str:
    task = tiny_task(world)
    return prompt(world, replace(task, mechanics=replace(task.mechanics, drop_scale=2.0)))


def test_a_call_gathers_at_most_as_often_as_told_where_drops_fall_by_chance(tiny: World) -> None:
    assert f"a quantity of at most {MOST_CHANCES}" in by_chance(tiny)
    here = new_game(tiny, BY_CHANCE, x=1, y=1)
    assert act(here, "gather", MOST_CHANCES + 1).status == 422
    assert act(here, "gather", MOST_CHANCES).ok
    assert act(new_game(tiny, x=1, y=1), "gather", MOST_CHANCES + 1).ok
    assert "at most 100" not in prompt(tiny)
    assert act(here, "unequip", "blade", MOST_WORN + 1).status == 422


def test_drops_fall_as_often_as_told(tiny: World) -> None:
    here = new_game(tiny, BY_CHANCE, x=1, y=0, stats={"hp": 100, "attack_heat": 100})
    fallen = [sum(quantity for _, quantity in act(here, "fight").detail.drops) for _ in range(2000)]  # type: ignore[union-attr]
    assert sum(map(bool, fallen)) / 2000 == pytest.approx(min(1, 2.0 / 4), abs=0.05)
    assert sum(amount == 2 for amount in fallen) / sum(map(bool, fallen)) == pytest.approx(0.5, abs=0.05)


# -- experience --------------------------------------------------------------------------------------------------------


def leveling(world: World, edition: str) -> str:
    task = tiny_task(world)
    return prompt(world, replace(task, mechanics=replace(task.mechanics, leveling=True)), edition)


@for_each("edition", edition_names())
def test_experience_and_thresholds_are_as_told(tiny: World, edition: str) -> None:
    rules = load_rules(edition)
    text = leveling(tiny, edition).partition("# Experience")[2].partition("# The hero")[0]
    gain, *thresholds = (line.strip() for line in text.splitlines() if line.startswith("    "))
    of_skills, of_himself = thresholds[0], thresholds[-1]
    for own in range(1, rules.level_cap + 1):
        known = {"L": own, "log2": math.log2, "int": int, "max": max}
        for level in range(1, 51):
            assert eval(gain, {**known, "A": level}) == rules.xp_gain(own, level)
        assert eval(of_skills, known) == rules.next_skill_level(own)
        assert eval(of_himself, known) == next_combat_level(own)
    assert f"{CRAFTING} times for the recipe's skill" in text
    assert GATHERING == 1
    assert f"at most to {rules.level_cap};" in text
    assert f"adds {rules.hp_per_level} to" in text


def test_the_prompt_of_a_straight_plan_tells_of_no_level_that_cannot_come(tiny: World) -> None:
    low, high = (tiny_task(tiny, hero=hero_row(level=level)) for level in (STANDARD.level_cap - 1, STANDARD.level_cap))
    assert all(f"The highest level is {STANDARD.level_cap}." in straight(tiny, task) for task in (low, high))
    adds = f"adds\n{STANDARD.hp_per_level} to his `hp`"
    assert adds in straight(tiny, low)
    assert "new level" not in straight(tiny, high)
    # the words of plans with code are published
    assert prompt(tiny, low).split("# Experience")[1][:50] == prompt(tiny, high).split("# Experience")[1][:50]


def test_a_swing_gives_50_and_a_piece_150_in_linear_editions(tiny: World) -> None:
    assert "a swing gives 50 and a crafted piece 150" in leveling(tiny, "standard")
    here = new_game(tiny, x=1, y=1, inventory={"ore": 4})
    swing = act(here, "gather").detail
    act(here, "move", 2, 1)
    piece = act(here, "craft", "bar", 1).detail
    assert (swing.xp, piece.xp) == (50, 150)  # type: ignore[union-attr]


def test_levels_rise_within_a_call_and_the_rest_is_carried_along(tiny: World) -> None:
    skills = {"digging": {"level": 5, "xp": 0, "next_level_xp": NEXT_LEVEL_XP}}
    here = new_game(tiny, x=1, y=1, skills=skills)
    act(here, "gather", 8)
    digging = here.hero.skills["digging"]
    assert (digging.level, digging.xp, digging.next_level_xp) == (7, 400 - 150 - 200, 210)


def test_a_victory_can_make_the_hero_healthier(tiny: World) -> None:
    assert f"adds {STANDARD.hp_per_level} to his `hp`" in prompt(tiny)
    here = new_game(tiny, x=1, y=0, xp=149, stats={"hp": 100, "attack_heat": 100})
    act(here, "fight")
    assert (here.hero.combat.level, here.hero.hp) == (11, 105)


# -- the end of it -----------------------------------------------------------------------------------------------------


def test_a_refused_craft_loses_the_goal_where_it_is_told_so(tiny: World) -> None:
    from herobench.suites.rpg.game.scoring import score

    task = craft_task(tiny, "bar")
    play = "move 1 1; gather 8; move 2 1; {}craft bar 1"
    for refused in ("craft bar 9; ", "craft bar_sword 1; "):
        for edition in edition_names():
            rules = load_rules(edition)
            episode = played(tiny, task, play.format(refused), rules)
            lost = score(task, tiny, rules, episode).outcome == "lose"
            assert lost == ("Careful" in prompt(tiny, task, edition)), edition
            assert lost == ("Careful" in straight(tiny, task, edition)), edition


def test_the_limits_are_those_of_the_sandbox(tiny: World) -> None:
    text = prompt(tiny).replace("\n", " ")
    limits = Limits()
    assert (
        f"have {limits.lines:,} lines and {limits.source:,} characters, {limits.width:,} characters in one line" in text
    )
    assert f"{limits.parts:,} names, numbers, operators and other parts of code" in text
    assert f"{MOST_CONTINUATIONS:,} lines that end with a backslash" in text
    assert f"comprehensions may stand {MOST_NESTED} deep in each other" in text
    assert f"attempt {limits.actions:,} actions, refused ones included" in text
    assert f"take {limits.steps:,} steps" in text
    assert f"print {limits.output:,} characters" in text


def test_the_limits_of_a_straight_plan_are_told(tiny: World) -> None:
    text = straight(tiny).replace("\n", " ")
    limits = Limits()
    assert f"have {limits.lines:,} lines and {limits.source:,} characters, {limits.width:,} characters in one" in text
    assert f"{_MOST_DIGITS} digits in a number" in text
    assert f"{limits.parts:,} names, numbers, calls and other parts of code" in text
    assert f"{MOST_CONTINUATIONS:,} lines that end with a backslash" in text
    assert f"Loops may stand {MOST_NESTED} deep in each other" in text
    assert f"attempt {limits.actions:,} actions, refused ones included" in text
    assert f"take {limits.steps:,} steps" in text


@for_each("code", ["x = " + " + ".join("1" * 40), "x = " + "[" * 40 + "]" * 40, "x = " + "-" * 39 + "1"])
def test_code_may_be_nested_as_deeply_as_the_prompt_says(code: str) -> None:
    assert recorded("".join(f"{' ' * n}for _ in [0]:\n" for n in range(15)) + " " * 15 + code).ending.how == "finished"


PLAIN = """
def total(codes, times=2):
    return sum(len(code) for code in codes) * times

bag = {"ore": 1}
seen = {1, 2} | set([3])
pair = (1, 2.5)
while bag["ore"] < 3:
    bag["ore"] += 1
try:
    status, body = move("Hero", 1, 0)
    body["nothing"]
except KeyError as error:
    print(f"{error!r}")
for name, number in sorted(bag.items(), key=lambda entry: -entry[1]):
    if number > 2 and total([name]) == 6:
        gather("Hero", quantity=max(number, 1))
"""


def test_the_language_is_what_is_told() -> None:
    assert recorded(PLAIN).ending.how == "finished"
    assert len(recorded(PLAIN).attempts) == 2
    assert recorded("import math").ending.how == "rejected"
    assert recorded("class Hero:\n    pass").ending.how == "rejected"


def test_an_answer_as_asked_for_is_read(tiny: World) -> None:
    assert extract_code(prompt(tiny)) == 'move("Hero", x, y)\n...', "the prompt's own example is in one fenced block"


# -- straight plans ----------------------------------------------------------------------------------------------------


def test_the_example_of_a_straight_plan_is_one_and_is_read_as_an_answer(tiny: World) -> None:
    example = extract_code(straight(tiny))
    assert example is not None
    assert "for _ in range" in example
    compile_plan(example, tuple(SIGNATURES), "straight")


SPOILT = {
    "a variable": "x = 1", "a condition": "if 1: pass", "`while`": "while 1: pass", "a function": "def f(): pass",
    "an import": "import math", "arithmetic": "move('Hero', 1 + 1, 2)", "an f-string": "fight(f'Hero')",
    "`print`": "print('Hero')", "the use of what an action returns": "fight('Hero')[0]",
}  # fmt: skip
"""What the prompt says that a straight plan may not hold, each with a plan that holds it."""
HARMLESS = {"Comments": "# x = 1", "blank lines": "\n\n", "texts that stand alone": "'x'", "`pass`": "pass"}


def test_a_straight_plan_is_what_is_told(tiny: World) -> None:
    text = straight(tiny).replace("\n", " ")
    named = [name.removeprefix("or ") for name in text.partition("such as ")[2].partition(".")[0].split(", ")]
    assert named == list(SPOILT)
    for plan in SPOILT.values():
        with pytest.raises(Rejected, match="a straight plan holds only"):
            compile_plan(plan, tuple(SIGNATURES), "straight")
    assert "Comments, blank lines, texts that stand alone and `pass` do nothing." in text
    for plan in HARMLESS.values():
        compile_plan(plan, tuple(SIGNATURES), "straight")


def test_a_straight_prompt_does_not_tell_of_what_no_straight_plan_can_see(tiny: World) -> None:
    text = straight(tiny)
    assert not [word for word in ("body", "returns `", "TypeError", "comprehension", "script") if word in text]


def test_a_straight_prompt_tells_the_same_of_the_world(tiny: World) -> None:
    task = tiny_task(tiny)
    told = [line for line in prompt(tiny, task).splitlines() if line.startswith(("{", "- `", "    "))]
    assert [line for line in straight(tiny, task).splitlines() if line in told] == told
