"""The shortest order of a task's jobs: of visits to workshops and changes of dress.

Every order crafts the same items and wins the same victories, so only the rest is counted: 1 for each visit to a
workshop, and the actions of each change of dress. What else could be chosen is decided by exchange arguments:

- Gathering and buying come first: they need nothing, and a stop that is moved to the front never adds a way.
- Each hunt is one stop with all its victories: a later victory is won as well at the first stop, in the same dress.
- A hunt is taken up as soon as what is worn wins it: its stop costs one way wherever it stands in the order, and what
  it teaches and drops never hinders.
- In a workshop all is crafted that can be: a craft costs one action at any time, and more items never hinder.
- The dress is changed just before a hunt, by no more than that hunt needs: the rest of a change can be made later.

So no two stops in a row are at the same place, every stop costs one way, and the place is no part of the state.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from herobench.rpg.world import Code
from herobench.task_gen.oracle.dresses import Dress, Dresses
from herobench.task_gen.oracle.growth import Growth
from herobench.task_gen.oracle.jobs import Jobs, Progress


class State(NamedTuple):
    """How far the jobs are done, what the hero has on, and whether all is over, the fight with the target too."""

    progress: Progress
    dress: Dress
    over: bool = False


class Order:
    """The orders of the jobs, as a problem for A*."""

    def __init__(self, jobs: Jobs, dresses: Dresses, growth: Growth) -> None:
        self._jobs = jobs
        self._dresses = dresses
        self._growth = growth
        self.start = self._hunted(Progress(), dresses.start)

    def is_goal(self, state: State) -> bool:
        """Whether all is over."""
        return state.over

    def estimate(self, state: State) -> int:
        """One visit to each workshop that has something left, and the changes up to the missing gear."""
        return len(self._jobs.shops(state.progress)) + self._dresses.left(state.dress)

    def steps(self, state: State) -> Iterator[tuple[int, State]]:
        """A visit to a workshop, or a change of dress for a fight."""
        progress, dress, _ = state
        for shop in self._jobs.shops(progress):
            then = self._jobs.after(progress, shop)
            if then != progress:
                yield 1, self._hunted(then, dress)
        for who in self._jobs.left(progress):
            for other in self._winning(who, state):
                yield self._dresses.cost(dress, other), self._hunted(progress, other)
        if self._jobs.is_done(progress):
            yield from self._endings(state)
        for cost, other_way in self._jobs.other_ways(progress):
            yield cost, self._hunted(other_way, dress)

    def hunts(self, progress: Progress, dress: Dress) -> list[Code]:
        """Who can be beaten in a dress, one after the other."""
        beaten: list[Code] = []
        left = self._jobs.left(progress)
        while left:
            extra_hp = self._growth.extra_hp(progress.beaten.union(beaten))
            who = next((who for who in left if self._dresses.beats(who, dress, extra_hp)), None)
            if who is None:
                break
            beaten.append(who)
            left.remove(who)
        return beaten

    def _hunted(self, progress: Progress, dress: Dress) -> State:
        return State(progress._replace(beaten=progress.beaten.union(self.hunts(progress, dress))), dress)

    def _winning(self, who: Code, state: State) -> tuple[Dress, ...]:
        extra_hp = self._growth.extra_hp(state.progress.beaten)
        return self._dresses.winning(who, state.dress, self._jobs.owned(state.progress), extra_hp)

    def _endings(self, state: State) -> Iterator[tuple[int, State]]:
        """The fight with the target in the missing gear, where there is one."""
        progress, dress, _ = state
        if self._jobs.target is None:
            yield 0, State(progress, dress, over=True)
            return
        for whole in self._dresses.complete(self._jobs.target, dress, self._growth.extra_hp(progress.beaten)):
            yield self._dresses.cost(dress, whole), State(progress, whole, over=True)
