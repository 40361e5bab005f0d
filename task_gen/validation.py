"""Certificates proven again, from nothing but the task and the world.

The plan is run as a model's would be, by whoever the caller has for that, and every figure is worked out anew. A plan
may use only what its task tells, and nothing in vain. What is wrong is said in sentences, one for each thing.

The proof is about gear, and about the hero as the plan makes him. Who eats in his fights, or fights until he has grown
by levels, may do without some of what is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from herobench.ahead import in_order
from herobench.rpg.episode import Episode
from herobench.rpg.events import Bought, Crafted, Event, Fought, Gathered, Moved
from herobench.rpg.rules import Rules
from herobench.rpg.scoring import score
from herobench.rpg.task import Certificate, Task
from herobench.rpg.world import Code, World, slot_type
from herobench.task_gen.certificate import MOST_ACTIONS, SEEDS, WINS_NEEDED, health_gained, seeds_of
from herobench.task_gen.difficulty import total_difficulty
from herobench.task_gen.knowledge.honesty import honesty
from herobench.task_gen.ladder import has_to_level
from herobench.task_gen.necessity import Dressing, without
from herobench.task_gen.oracle.lower_bound import lower_bound
from herobench.task_gen.oracle.search_bound import search_bound
from herobench.task_gen.oracle.unplannable import Unplannable

Run = Callable[[Task, str], Episode]
"""Runs a plan on a task."""


def faults(world: World, rules: Rules, task: Task, run: Run) -> list[str]:
    """What does not hold of a task and its certificate; nothing where all does."""
    if task.certificate is None:
        return ["it has no certificate"]
    return list(_Check(world, rules, task, task.certificate, run).faults())


def faults_of(
    world: World, rules: Rules, tasks: Iterable[Task], run: Run, jobs: int
) -> Generator[tuple[str, list[str]]]:
    """What does not hold of each of many tasks, by id and in order; `run` is called by so many threads at once."""

    def looked_at(task: Task) -> tuple[str, list[str]]:
        return task.id, faults(world, rules, task, run)

    with ThreadPoolExecutor(jobs) as pool:
        yield from in_order(pool, jobs, looked_at, tasks)


class _Check:
    """One certificate on the bench."""

    def __init__(self, world: World, rules: Rules, task: Task, certificate: Certificate, run: Run) -> None:
        self.world = world
        self.rules = task.rules(rules)
        self.task = task
        self.certificate = certificate
        self.run = run

    def faults(self) -> Iterator[str]:
        yield from self._difficulty()
        yield from self._hero()
        yield from honesty(self.world, self.task)
        episode = self.run(self.task, self.certificate.plan)
        yield from self._outcome(episode)
        yield from self._figures(episode)
        yield from self._untold(episode)
        episodes = [episode] if self.rules.drops == "sure" else [self._under(seed) for seed in seeds_of(self.task)]
        yield from self._luck(episodes)
        if self.task.kind == "kill":
            yield from self._need(episodes)
        elif self.certificate.without:
            yield "a craft task has no target that keeps health"

    def _under(self, seed: int) -> Episode:
        return self.run(replace(self.task, seed=seed), self.certificate.plan)

    def _difficulty(self) -> Iterator[str]:
        difficulty = total_difficulty(self.world, self.task)
        if difficulty != self.task.difficulty:
            yield f"its difficulty is {difficulty}, not {self.task.difficulty}"
        if self.task.mechanics.leveling and not has_to_level(self.world, self.task):
            yield "it is called a leveling task, and no skill has to be raised"
        if not self.task.mechanics.leveling and has_to_level(self.world, self.task):
            yield "a skill has to be raised, and it is not called a leveling task"

    def _hero(self) -> Iterator[str]:
        """That the hero has nothing of what he is to make, nor food, of which the proof knows nothing."""
        hero, cap = self.task.hero, self.rules.level_cap
        if hero.combat[0] > cap:
            yield f"the hero's level is {hero.combat[0]}, beyond the highest, {cap}"
        gear = {slot_type(slot) for slot in self.world.slots}
        carried = [code for code in hero.inventory if self.world.items[code].type in gear or code == self.task.target]
        carried += [stack.item for stack in hero.consumables.values()]
        if carried:
            yield f"the hero has {', '.join(carried)} to begin with"

    def _outcome(self, episode: Episode) -> Iterator[str]:
        judged = score(self.task, self.world, self.rules, episode)
        if not episode.finished:
            ending = episode.ending
            yield f"the plan does not run to its end: {ending.reason or ending.how}"
        elif judged.outcome != "win" or judged.score != 100:
            missed = ", ".join(map(str, judged.missed)) or "nothing"
            yield f"the plan comes to {judged.outcome} with a score of {judged.score:g}, and misses {missed}"

    def _figures(self, episode: Episode) -> Iterator[str]:
        certificate = self.certificate
        if len(episode.events) != certificate.actions:
            yield f"the plan attempts {len(episode.events)} actions, not {certificate.actions}"
        vain = sum(not event.ok for event in episode.events)
        if vain:
            yield f"{vain} actions of the plan are refused"
        try:
            bound = self._bound()
        except Unplannable as obstacle:
            yield f"it cannot be done: {obstacle}"
            return
        if bound != certificate.lower_bound:
            yield f"the lower bound is {bound}, not {certificate.lower_bound}"

    def _bound(self) -> int:
        """The lower bound, proven as the certificate says."""
        if self.certificate.proof == "counts":
            return lower_bound(self.world, self.rules, self.task)
        return search_bound(self.world, self.rules, self.task, self.certificate.actions)

    def _untold(self, episode: Episode) -> Iterator[str]:
        unknown = dict.fromkeys(thing for event in episode.events for thing in self._unknown(event))
        if unknown:
            yield f"the plan uses what is not told: {', '.join(unknown)}"

    def _unknown(self, event: Event) -> Iterator[str]:
        """What an action made use of that is not told."""
        told = self.task.knowledge
        match event.detail:
            case Moved(place=place) if place not in told.places:
                yield f"the place {place}"
            case Gathered(resource=node) if not self._is_told(node):
                yield f"what is gathered from {node}"
            case Crafted(item=item) if item not in told.recipes:
                yield f"the recipe of {item}"
            case Fought(monster=monster) if monster not in told.monsters:
                yield f"the monster {monster}"
            case Bought(item=item) if item not in told.sold:
                yield f"that {item} is for sale"

    def _is_told(self, node: Code) -> bool:
        """A node is told of with what it gives."""
        return any(drop.item in self.task.knowledge.materials for drop in self.world.resources[node].drops)

    def _luck(self, episodes: Sequence[Episode]) -> Iterator[str]:
        """That the plan wins under nearly all seeds, where chance has a part."""
        claimed = (self.certificate.wins, self.certificate.seeds)
        won = sum(score(self.task, self.world, self.rules, episode).outcome == "win" for episode in episodes)
        if claimed != (won, len(episodes)):
            yield f"the plan wins under {won} of {len(episodes)} seeds, not {claimed[0]} of {claimed[1]}"
        if won < len(episodes) * WINS_NEEDED / SEEDS:
            yield f"{won} wins under {len(episodes)} seeds are too few"
        longest = max(len(episode.events) for episode in episodes)
        if len(episodes) > 1 and longest > MOST_ACTIONS:
            yield f"the plan takes {longest} actions under one of the seeds, more than {MOST_ACTIONS}"

    def _need(self, episodes: Sequence[Episode]) -> Iterator[str]:
        """That the missing gear is enough, and all of it needed: at the start, and when the hero has got healthier."""
        if not self.task.missing:
            yield "no gear is missing"
            return
        gained = [health_gained(self.world, self.rules, self.task, episode.events) for episode in episodes]
        yield from self._spare(0)
        if max(gained):
            yield from self._spare(max(gained))
        fights = without(self.world, self.rules, self.task, gained[0])
        left, claimed = {slot: fight.monster_hp for slot, fight in fights.items()}, dict(self.certificate.without)
        if left != claimed:
            yield f"what the target keeps when one of the missing items is left out is {left}, not {claimed}"

    def _spare(self, extra_hp: int) -> Iterator[str]:
        slots = tuple(self.task.missing)
        dressing = Dressing.of(self.world, self.task.hero, self.task.missing, extra_hp)
        winning = dressing.parts_that_win(self.world.monsters[self.task.target], self.rules)
        if frozenset(range(len(slots))) not in winning:
            yield "the missing gear does not win"
        for part in [part for part in winning if len(part) < len(slots)][:1]:
            spare = ", ".join(slot for index, slot in enumerate(slots) if index not in part)
            yield f"the target is beaten without what is missing in {spare}, by a hero with {extra_hp} more health"
