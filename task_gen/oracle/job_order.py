"""The order of a task's jobs as a problem for A*: which workshops to visit when, and when to change the loadout.

All orders craft the same items and win the same fights, so only the rest is counted: 1 per visit to a workshop, and
the actions of each change of loadout. The other choices are fixed by exchange arguments, listed at JobOrder. They
need gathering, buying and drops that never hinder, and must be reviewed if a mechanic is added.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from herobench.rpg.world import Code
from herobench.task_gen.oracle.growth import Growth
from herobench.task_gen.oracle.job_graph import JobGraph, JobProgress
from herobench.task_gen.oracle.loadouts import Loadout, Loadouts


class OrderState(NamedTuple):
    """A state of the search: the jobs done, the gear worn, and whether the last fight is over."""

    progress: JobProgress
    loadout: Loadout
    over: bool = False


class JobOrder:
    """The orders of the jobs, as a problem for A*.

    Exchange arguments: any plan can be changed in the following ways without more actions.

    - Gathering and buying come first. They need nothing, and a stop that is moved to the front adds no move.
    - Each hunt is one stop with all its victories: a later victory is also won at the first stop, in the same loadout.
    - A hunt is done as soon as the current loadout wins it: its stop costs one move at any place in the order, and its
      experience and drops never hinder.
    - A visit to a workshop crafts everything possible: a craft costs one action at any time, and items never hinder.
    - The loadout is changed just before a hunt, by no more than that hunt needs: the rest can be changed later.

    So two stops in a row are at different places, every stop costs one move, and the place is not part of the state.
    """

    def __init__(self, jobs: JobGraph, loadouts: Loadouts, growth: Growth) -> None:
        self._jobs = jobs
        self._loadouts = loadouts
        self._growth = growth
        # Hunts that can be won at once cost nothing in this count.
        self.start = self._hunted(JobProgress(), loadouts.start)

    def is_goal(self, state: OrderState) -> bool:
        """Return whether all is over."""
        return state.over

    def estimate(self, state: OrderState) -> int:
        """Return one visit per workshop with crafts left, plus the changes up to the missing gear.

        This is admissible, because each of these workshops needs a visit and each piece has to be put on. It is
        consistent, because a step of cost c removes at most c of them.
        """
        return len(self._jobs.shops(state.progress)) + self._loadouts.left(state.loadout)

    def steps(self, state: OrderState) -> Iterator[tuple[int, OrderState]]:
        """Yield visits to a workshop, changes of loadout for a fight, the ending, and other ways to get an item."""
        progress, loadout, _ = state
        for shop in self._jobs.shops(progress):
            then = self._jobs.after(progress, shop)
            # A visit that crafts nothing would be a step without progress.
            if then != progress:
                yield 1, self._hunted(then, loadout)
        for who in self._jobs.left(progress):
            for other in self._winning(who, state):
                yield self._loadouts.cost(loadout, other), self._hunted(progress, other)
        if self._jobs.is_done(progress):
            yield from self._endings(state)
        for cost, other_way in self._jobs.other_ways(progress):
            yield cost, self._hunted(other_way, loadout)

    def hunts(self, progress: JobProgress, loadout: Loadout) -> list[Code]:
        """Return the monsters that can be beaten in a loadout, one after the other."""
        beaten: list[Code] = []
        left = self._jobs.left(progress)
        while left:
            extra_hp = self._growth.extra_hp(progress.beaten.union(beaten))
            # A victory may give health, so monsters that were too strong before are tried again.
            who = next((who for who in left if self._loadouts.beats(who, loadout, extra_hp)), None)
            if who is None:
                break
            beaten.append(who)
            left.remove(who)
        return beaten

    def _hunted(self, progress: JobProgress, loadout: Loadout) -> OrderState:
        return OrderState(progress._replace(beaten=progress.beaten.union(self.hunts(progress, loadout))), loadout)

    def _winning(self, who: Code, state: OrderState) -> tuple[Loadout, ...]:
        extra_hp = self._growth.extra_hp(state.progress.beaten)
        return self._loadouts.winning(who, state.loadout, self._jobs.owned(state.progress), extra_hp)

    def _endings(self, state: OrderState) -> Iterator[tuple[int, OrderState]]:
        """Yield the fight with the target in the missing gear; a craft task ends without a fight."""
        progress, loadout, _ = state
        if self._jobs.target is None:
            yield 0, OrderState(progress, loadout, over=True)
            return
        for whole in self._loadouts.complete(self._jobs.target, loadout, self._growth.extra_hp(progress.beaten)):
            yield self._loadouts.cost(loadout, whole), OrderState(progress, whole, over=True)
