"""What is told of a task that is proven: as much as its knowledge level says, and noise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random

from herobench.rpg.events import Fought, Gathered
from herobench.rpg.rules import Rules
from herobench.rpg.task import Knowledge, Task
from herobench.rpg.world import Code, Item, World
from herobench.task_gen.certificate import Rehearsal
from herobench.task_gen.craft_tasks import craftable_like
from herobench.task_gen.draft import skills_for
from herobench.task_gen.gear.candidates import gear_candidates, sources
from herobench.task_gen.knowledge.decoys import Fitting, decoys_for
from herobench.task_gen.knowledge.noise import noise_for
from herobench.task_gen.knowledge.telling import Telling
from herobench.task_gen.oracle.crafting import Requirements
from herobench.task_gen.oracle.gathering import fewest_nodes
from herobench.task_gen.oracle.unplannable import Unplannable
from herobench.task_gen.oracle.wardrobe import Wardrobe
from herobench.task_gen.spec import Spec

_OTHER_CRAFTS = 4
"""How many other recipes of its skill a craft task tells with decoys."""


def knowledge_for(
    world: World, rules: Rules, spec: Spec, task: Task, rehearsal: Rehearsal, chance: Random
) -> Knowledge:
    """What is told. Raises Unplannable where there are not enough decoys."""
    if spec.knowledge == "world":
        telling = Telling.everything(world, task.knowledge.sold)
    else:
        telling = _what_is_needed(world, spec, task, rehearsal)
        if spec.knowledge == "decoys":
            _add_decoys(world, rules, task, rehearsal, telling, chance)
    if spec.noise:
        telling.noise = noise_for(world, _likeness(world, task, telling), spec.noise, chance)
    return telling.knowledge()


def _what_is_needed(world: World, spec: Spec, task: Task, rehearsal: Rehearsal) -> Telling:
    """Just what the oracle needed: its recipes, nodes and monsters."""
    telling = Telling(world, spec.knowledge, sold=set(task.knowledge.sold))
    details = [event.detail for event in rehearsal.game.events]
    telling.nodes = {detail.resource for detail in details if isinstance(detail, Gathered)}
    telling.monsters = {detail.monster for detail in details if isinstance(detail, Fought)}
    for code in task.missing.values() if task.kind == "kill" else [task.target]:
        telling.add_item(code)
    for node in sorted(telling.nodes):
        _add_what_is_gathered(world, telling, node)
    telling.stats = {code for slot, code in task.hero.worn.items() if slot in task.missing or spec.knowledge != "exact"}
    return telling


def _add_what_is_gathered(world: World, telling: Telling, node: Code) -> None:
    """Tell of something that a node gives: a node that serves to raise a skill is known by that alone."""
    drops = world.resources[node].drops
    if not any(drop.item in telling.items for drop in drops):
        telling.items.add(min(drops, key=lambda drop: drop.one_in).item)


def _add_decoys(world: World, rules: Rules, task: Task, rehearsal: Rehearsal, telling: Telling, chance: Random) -> None:
    if task.kind == "craft":
        others = [code for code in craftable_like(world, task.target) if _can_make(world, task, rehearsal, code)]
        decoys: Iterable[Code] | None = chance.sample(others, min(_OTHER_CRAFTS, len(others)))
    else:
        target = world.monsters[task.target]
        wardrobe = Wardrobe(world, rules, task)
        candidates = {
            kind: [item for item in items if _can_make(world, task, rehearsal, item.code, wardrobe)]
            for kind, items in gear_candidates(world, target, task.hero.combat[0]).items()
        }
        fitting = Fitting(world, rules, target, task.hero, task.missing)
        decoys = decoys_for(fitting, candidates, chance)
    if decoys is None:
        raise Unplannable("there are no decoys that hide the right gear")
    for code in decoys:
        telling.add_item(code)
    leaves = {code for code in telling.items if code in world.nodes and not world.recipe_of(code)} - telling.sold
    telling.nodes |= set(fewest_nodes(world, sorted(leaves - _given(world, telling.nodes)), world.resources))


def _given(world: World, nodes: Iterable[Code]) -> set[Code]:
    return {drop.item for node in nodes for drop in world.resources[node].drops}


def _can_make(world: World, task: Task, rehearsal: Rehearsal, code: Code, wardrobe: Wardrobe | None = None) -> bool:
    """Whether the hero can make something here and now: his skills are good enough, and he beats who drops its parts,
    in what he wears at the start or in the end."""
    if sources(world, code) is None:
        return False
    skills = rehearsal.game.hero.skills
    if any(skills[skill].level < level for skill, level in skills_for(world, 1, Counter([code])).items()):
        return False
    droppers = Requirements.of(world, {code: 1}).monsters(world)
    if wardrobe is None:
        return not droppers
    dresses = (frozenset[str](), frozenset(task.missing))
    return all(any(wardrobe.beats(who, dress) for dress in dresses) for who in droppers)


def _likeness(world: World, task: Task, telling: Telling) -> list[Item]:
    """What noise is made to be like: the missing gear that has recipes, or a target to be crafted; failing that, any
    gear that is told, or what is missing though only monsters have it."""
    wanted = [task.target] if task.kind == "craft" else list(task.missing.values())
    crafted = [code for code in dict.fromkeys(wanted) if world.recipe_of(code)]
    told = [code for code in sorted(telling.items) if world.recipe_of(code)]
    return [world.items[code] for code in crafted or told or dict.fromkeys(wanted)]
