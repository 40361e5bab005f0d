"""Render the prompt of a task: words from the templates, facts from the world and the rules.

Called by runs, reports and `herobench tasks prompt`. A prompt depends on the world, the rules and, in the task, on its
goal, hero, mechanics and knowledge. It must not depend on the rest (missing gear, difficulty, certificate, seed),
because that would give the answer away. Only the lanes `gear` and `steps` tell of the certificate, on purpose (`told`).

Knowledge is told as records with the field names of the responses to actions, sorted by level and code. Only what the
knowledge names is told. Left out are empty fields, and everything that would reveal more: an item's subtype (it says
where a material comes from), the order in the task, and which items are noise.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from string import Template
from typing import Any

from herobench.prompts.rpg.told import told_section
from herobench.prompts.words import load_words
from herobench.suites.rpg.game.game import MOST_CHANCES
from herobench.suites.rpg.game.hero import NAME, Hero
from herobench.suites.rpg.game.responses import character, item_record, monster_record, tile_record
from herobench.suites.rpg.game.rules import CRAFTING, DEFEAT_COST, Rules
from herobench.suites.rpg.game.task import Mechanics, PlanTrack, Task, Told
from herobench.suites.rpg.game.world import CONSUMABLE, Code, Drop, Item, World

_MOST = 1 << 15
"""The most records of a kind that are cached. Nearly all worlds have fewer things."""
_IDLE = frozenset({"subtype", "min_gold", "max_gold"})
"""Fields that have no effect in the game."""


_as_line = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode


class Record(dict[str, Any]):
    """A record of a prompt. Many prompts share it, so it must not be changed."""

    @cached_property
    def line(self) -> str:
        """The record as a line of JSON."""
        return _as_line(self)


def section_records(world: World, task: Task, rules: Rules) -> Mapping[str, list[Record]]:
    """Return the records of each section, by the name of the section's heading."""
    knows, sure = task.knowledge, rules.drops == "sure"
    # Only nodes with a told place count as sources: the hero could not find the others.
    nodes = {content.code for place in knows.places if (content := world.tiles[place].content)}
    # Noise is mixed in before the sort, so that its position does not give it away.
    with_recipes = _in_order([*_items(world, set(knows.recipes)), *knows.noise])
    noise = {id(item) for item in knows.noise}
    materials = _in_order(_items(world, set(knows.materials)))
    others = _in_order(_items(world, set(knows.stats).difference(knows.recipes, knows.materials)))
    monsters = sorted(set(knows.monsters), key=lambda code: (world.monsters[code].level, code))
    return {
        "recipes": [_item(item) if id(item) in noise else _known_item(world, item.code) for item in with_recipes],
        "materials": [
            _material(
                world,
                item.code,
                # In the world's order of nodes, which does not depend on the task.
                tuple(code for code in world.nodes.get(item.code, ()) if code in nodes),
                item.code in knows.sold,
                sure,
            )
            for item in materials
        ],
        "monsters": [_monster(world, code, sure) for code in monsters],
        "stats": [_without_recipe(world, item.code) for item in others],
        "places": [_place(world, place, place in rules.closed) for place in sorted(set(knows.places))],
    }


def tells_of_consumables(world: World, task: Task) -> bool:
    """Return whether food occurs in what the hero is told."""
    knows = task.knowledge
    items = [*_items(world, (*knows.recipes, *knows.materials, *knows.stats)), *knows.noise]
    return bool(task.hero.consumables) or any(item.type == CONSUMABLE for item in items)


def _items(world: World, codes: Iterable[Code]) -> list[Item]:
    return [world.items[code] for code in codes]


def _in_order(items: Iterable[Item]) -> list[Item]:
    return sorted(items, key=lambda item: (item.level, item.code))


def _item(item: Item) -> Record:
    """Return the record of an item, with effects and ingredients sorted: the order in the file could reveal noise."""
    record = item_record(item)
    record["effects"].sort(key=lambda effect: str(effect["name"]))
    if record["craft"]:
        record["craft"]["items"].sort(key=lambda part: str(part["code"]))
        del record["craft"]["quantity"]  # always 1, and the heading says so
    return _compact(record)


@lru_cache(_MOST)
def _known_item(world: World, code: Code) -> Record:
    return _item(world.items[code])


@lru_cache(_MOST)
def _without_recipe(world: World, code: Code) -> Record:
    return Record({name: value for name, value in _known_item(world, code).items() if name != "craft"})


@lru_cache(_MOST)
def _material(world: World, code: Code, nodes: tuple[Code, ...], is_sold: bool, sure: bool) -> Record:
    """Return the record of a material, with the told sources; its droppers are told with the monsters."""
    gathered_from = [
        {"code": node.code, "skill": node.skill, "level": node.level} | _fall(drop, sure)
        for node in (world.resources[code] for code in nodes)
        for drop in node.drops
        if drop.item == code
    ]
    sources = {"gathered_from": gathered_from, "for_sale_at": "grand_exchange" if is_sold else ""}
    return Record(_without_recipe(world, code) | _compact(sources))


@lru_cache(_MOST)
def _monster(world: World, code: Code, sure: bool) -> Record:
    drops = [{"code": drop.item} | _fall(drop, sure) for drop in world.monsters[code].drops]
    return _compact(monster_record(world, code) | {"drops": drops})


def _fall(drop: Drop, sure: bool) -> dict[str, Any]:
    """Return how a drop falls: its quantity if it always does, else the figures of its probability."""
    if sure:
        return {"quantity": drop.least}
    return {"rate": drop.one_in, "min_quantity": drop.least, "max_quantity": drop.most}


@lru_cache(_MOST)
def _place(world: World, place: tuple[int, int], is_closed: bool) -> Record:
    """Return the record of a tile without its looks; coordinates are kept even if they are 0."""
    tile = tile_record(world, place)
    record = Record({name: tile[name] for name in ("name", "x", "y", "content") if tile[name] is not None})
    return Record({**record, "closed": True}) if is_closed else record


def _compact(record: Mapping[str, Any]) -> Record:
    return Record({name: value for name, value in record.items() if value and name not in _IDLE})


FOLDER = "rpg/one_shot"
_ASKED_FOR: Mapping[str, Callable[[Task], bool]] = {
    "straight_": lambda task: task.mechanics.plan == "straight",
    "budget": lambda task: task.mechanics.budget is not None,
    "closed_": lambda task: bool(task.mechanics.closed),
    "ground_": lambda task: task.mechanics.ground == "told",
}
"""The beginnings of the names of parts that only some tasks use, each with the test for these tasks. The digest of a
run has only the parts that its tasks use: new words for one kind of task leave the identity of other runs as it is."""


_END = re.compile(r"\n\n(?=# |\$(?:actions|fights|knowledge)$)", re.MULTILINE)
"""The end of a section: the next heading, or the place of a whole section."""


def fill(part: str, **facts: object) -> str:
    """Return a part with the facts put in."""
    return load_words(FOLDER).fill(part, **facts)


def fill_section(part: str, heading: str, **facts: object) -> str:
    """Return the section of a part below a heading of the first level, with the facts put in."""
    return Template(_section(part, heading)).substitute(facts)


_FRAMES: Mapping[PlanTrack, str] = {"program": "frame", "straight": "straight_frame"}
_ANSWER = "Answer"
"""The section that tells what a plan may hold, and how large it may be."""


def plan_form(mechanics: Mechanics) -> str:
    """Return what a plan of a task may hold, in the words of its prompt behind the example."""
    return _section(_FRAMES[mechanics.plan], _ANSWER).rpartition("```\n\n")[2]


def _section(part: str, heading: str) -> str:
    text = load_words(FOLDER).templates[part].template
    return _END.split(text[text.index(f"# {heading}\n") :], maxsplit=1)[0]


def prompt_digest(tasks: Iterable[Task] = ()) -> str:
    """Return the SHA-256 of the parts in the prompts of some tasks, and of their names; by default, of plain tasks."""
    asked_beginnings = {beginning for task in tasks for beginning, asks in _ASKED_FOR.items() if asks(task)}
    idle = tuple(beginning for beginning in _ASKED_FOR if beginning not in asked_beginnings)
    return load_words(FOLDER).digest(lambda name: not name.startswith(idle))


_NOTHING = Record()
Records = Mapping[str, list[Record]]
"""The told records by section, as `section_records` returns them."""


def describe(records: Records, codes: Iterable[str]) -> str:
    """Return the told records of some things and of everything that they need, in the sections of the prompt."""
    return describe_records(_select_records(records, _involved_codes(records, codes)))


def describe_only(records: Records, codes: Iterable[str]) -> str:
    """Return only the told records of some things."""
    return describe_records(_select_records(records, set(codes)))


def describe_section(records: Records, *headings: str) -> str:
    """Return all told records of some sections, such as `places`."""
    return describe_records({heading: records[heading] for heading in headings})


def _select_records(by_heading: Mapping[str, Iterable[Record]], codes: set[str]) -> Mapping[str, Iterable[Record]]:
    return {
        heading: [record for record in records if codes & _names(record)] for heading, records in by_heading.items()
    }


def describe_records(records: Mapping[str, Iterable[Record]]) -> str:
    """Return each section that has records: a heading, and a line for each record."""
    lines = {heading: [record.line for record in some] for heading, some in records.items()}
    return "\n\n".join("\n".join([fill(heading), "", *some]) for heading, some in lines.items() if some)


def _names(record: Record) -> set[str]:
    """Return the code by which a record is found: its own, or for a place the code of its content."""
    content = record.get("content", record)
    return {content["code"]} if "code" in content else set()


def _involved_codes(records: Mapping[str, Iterable[Record]], codes: Iterable[str]) -> set[str]:
    """Return codes with everything that they need: ingredients, sources, and the monsters that drop them."""
    items = {record["code"]: record for heading in ("recipes", "materials", "stats") for record in records[heading]}
    codes_involved: set[str] = set()
    ahead = list(codes)
    while ahead:
        code = ahead.pop()
        if code not in codes_involved:
            codes_involved.add(code)
            ahead += _leads(items.get(code, _NOTHING))
            ahead += [who["code"] for who in records["monsters"] if _drops(who, code)]
    return codes_involved


def _drops(monster: Record, code: str) -> bool:
    return any(drop["code"] == code for drop in monster.get("drops", ()))


def _leads(item: Record) -> Iterator[str]:
    """Yield what an item needs: its workshop and ingredients, the nodes and the exchange that give it."""
    if craft := item.get("craft"):
        yield craft["skill"]
        yield from (part["code"] for part in craft["items"])
    yield from (node["code"] for node in item.get("gathered_from", ()))
    if seller := item.get("for_sale_at"):
        yield seller


_SHARED = {"actions": "Actions", "fights": "Fights", "knowledge": "What is known"}
"""The sections of the frame that other prompts share, with their headings."""


def render_prompt(world: World, task: Task, edition: Rules, lane: Told = "plan") -> str:
    """Return the prompt of a task under an edition of the rules, in a lane."""
    facts = frame_facts(world, task, task.rules(edition))
    if lane != "plan":
        facts["sections"] = f"{facts['sections']}\n\n{told_section(world, task, lane)}"
    common = {} if task.mechanics.plan == "program" else shared_sections(facts)
    return fill(_FRAMES[task.mechanics.plan], **facts, **common)


def shared_sections(facts: Mapping[str, object]) -> dict[str, str]:
    """Return the sections of the frame that other prompts share."""
    return {name: fill_section("frame", heading, **facts) for name, heading in _SHARED.items()}


def frame_facts(world: World, task: Task, rules: Rules) -> dict[str, object]:
    """Return what is put into the frame."""
    return {
        "goal": "\n\n".join(_goal(world, task, rules)),
        "hero": NAME,
        "defeat": _defeat(world, rules),
        "stack": rules.stack_limit,
        "workshop": fill(f"workshop_{rules.workshop}"),
        "slots": ", ".join(world.slots),
        "elements": ", ".join(world.elements),
        "drops": fill(f"drops_{rules.drops}", scale=_number(rules.drop_scale), most=MOST_CHANCES),
        "growing": "\n\n".join(_growing(world, task, rules)),
        "character": _as_line(character(world, Hero(world, task.hero))),
        # Exact knowledge is announced, because then everything that is told may be used.
        "known": fill("known_exact" if _tells_just_what_is_needed(task) else "known_more"),
        "sections": describe_records(section_records(world, task, rules)),
    }


def _goal(world: World, task: Task, rules: Rules) -> Iterable[str]:
    things = world.monsters if task.kind == "kill" else world.items
    yield fill(f"goal_{task.kind}", name=things[task.target].name, code=task.target)
    if task.kind == "craft" and rules.failed_craft_is_logged:
        yield fill("forfeit", code=task.target)
    if task.mechanics.closed:
        yield fill("closed_places")
    if task.mechanics.ground == "told":
        yield fill("ground_told")
    yield from _budget(task.mechanics)


def _budget(mechanics: Mechanics) -> Iterable[str]:
    if mechanics.budget is not None:
        yield fill("budget", budget=f"{mechanics.budget:,}")
    if mechanics.budget_factor is not None:
        yield fill("budget_factor", factor=_number(mechanics.budget_factor))


def _defeat(world: World, rules: Rules) -> str:
    x, y = world.start
    return fill(f"defeat_{rules.defeat}", start_x=x, start_y=y, rounds=rules.rounds, cost=DEFEAT_COST)


def _growing(world: World, task: Task, rules: Rules) -> Iterable[str]:
    if tells_of_consumables(world, task):
        yield fill("consumables", stack=rules.stack_limit)
    if task.mechanics.leveling:
        curve = fill(f"xp_{rules.xp}")
        yield fill("leveling", crafting=CRAFTING, curve=curve, cap=rules.level_cap, health=rules.hp_per_level)
    elif task.mechanics.plan == "program":
        yield fill("growth", health=rules.hp_per_level)
    elif task.hero.combat[0] < rules.level_cap:
        yield fill("straight_growth", cap=rules.level_cap, health=rules.hp_per_level)
    else:
        yield fill("straight_grown", cap=rules.level_cap)


def _tells_just_what_is_needed(task: Task) -> bool:
    return task.knowledge.level == "exact" and not task.knowledge.noise


def _number(value: float) -> str:
    # 10.0 becomes 10, so that the prompt does not depend on the notation in a rule file.
    return repr(int(value) if value == int(value) else value)
