"""A trip: collect the steps of a plan while the hero goes from place to place.

The planner calls it. It adds moves, knows what the hero wears, and does not check whether fights are won.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import Code, Place, World, slot_type
from herobench.task_gen.rpg.oracle.a_star import Unplannable
from herobench.task_gen.rpg.oracle.gathering import Hunt, Visit
from herobench.task_gen.rpg.oracle.loadouts import Loadout, Piece
from herobench.task_gen.rpg.oracle.steps import Do, FightUntil, Step

ANY = ""


class Trip:
    """The steps so far, and the hero's place and gear after them."""

    def __init__(self, world: World, rules: Rules, task: Task) -> None:
        self.steps: list[Step] = []
        self._world = world
        self._rules = rules
        self._owned = task.hero.inventory
        self._place = task.hero.place
        self._worn = {slot: Piece(slot, code, new=False) for slot, code in task.hero.worn.items()}
        # Told tiles first: a plan may use only places that its task tells.
        known = (*task.knowledge.places, *world.tiles)
        self._known_places: tuple[Place, ...] = tuple(place for place in known if place not in rules.closed)

    def gather(self, visit: Visit) -> None:
        """Go to a node and gather there."""
        self._go("resource", visit.node)
        self.steps += visit.steps(self._rules, self._owned)

    def buy(self, code: Code, quantity: int) -> None:
        """Go to the exchange and buy some pieces of an item."""
        self._go("grand_exchange")
        self.steps.append(Do("buy", (code, quantity)))

    def craft(self, shop: str, crafts: Mapping[Code, int], codes: Collection[Code]) -> None:
        """Go to a workshop and craft some of the crafts there, in their order."""
        self._go("workshop", shop)
        self.steps += [Do("craft", (code, quantity)) for code, quantity in crafts.items() if code in codes]

    def change(self, steps: Iterable[Step]) -> None:
        """Add the steps of a change of gear."""
        self.steps += steps

    def wear(self, loadout: Loadout) -> None:
        """Change to a loadout. A new piece goes into its own slot, or into another of its type if that one is taken."""
        for slot, piece in list(self._worn.items()):
            if piece not in loadout:
                del self._worn[slot]
                self.steps.append(Do("unequip", (slot,)))
        # Sorted, because the order of a set differs between processes.
        for piece in sorted(loadout - set(self._worn.values())):
            slots = [piece.slot, *(slot for slot in self._world.slots if slot_type(slot) == slot_type(piece.slot))]
            slot = next(slot for slot in slots if slot not in self._worn)
            self._worn[slot] = piece
            self.steps.append(Do("equip", (slot, piece.code)))

    def hunt(self, who: Code, hunt: Hunt) -> None:
        """Go to a monster and beat it as often as a hunt says."""
        self._go("monster", who)
        wins = hunt.wins - bool(hunt.until)  # the loop for random drops begins with a fight
        if wins:
            self.steps.append(Do("fight", (), wins))
        if hunt.until:
            self.steps.append(FightUntil(tuple((code, self._owned.get(code, 0) + n) for code, n in hunt.until.items())))

    def is_at(self, who: Code) -> bool:
        """Return whether the hero stands where a monster is."""
        return self._world.standing("monster").get(self._place) == who

    def _go(self, kind: str, code: Code = ANY) -> None:
        """Move to a tile that holds something, unless the hero is on one. Tiles that the task tells are preferred."""
        standing = self._world.standing(kind)
        places = [place for place in self._known_places if place in standing and code in (ANY, standing[place])]
        if not places:
            raise Unplannable(f"there is no {kind} {code} on the map that the hero can enter")
        if self._place not in places:
            self._place = places[0]
            self.steps.append(Do("move", self._place))
