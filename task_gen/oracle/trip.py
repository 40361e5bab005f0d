"""A trip: the steps of a plan as the hero goes from place to place."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from herobench.rpg.rules import Rules
from herobench.rpg.task import Task
from herobench.rpg.world import Code, Place, World, slot_type
from herobench.task_gen.oracle.dresses import Dress, Piece
from herobench.task_gen.oracle.gathering import Visit
from herobench.task_gen.oracle.hunting import Hunt
from herobench.task_gen.oracle.steps import Do, FightUntil, Step
from herobench.task_gen.oracle.unplannable import Unplannable

ANY = ""


class Trip:
    """The steps so far, and where they have led."""

    def __init__(self, world: World, rules: Rules, task: Task) -> None:
        self.steps: list[Step] = []
        self._world = world
        self._rules = rules
        self._owned = task.hero.inventory
        self._place = task.hero.place
        self._worn = {slot: Piece(slot, code, new=False) for slot, code in task.hero.worn.items()}
        self._known_places: tuple[Place, ...] = (*task.knowledge.places, *world.tiles)

    def gather(self, visit: Visit) -> None:
        """Visit a node."""
        self._go("resource", visit.node)
        self.steps += visit.steps(self._rules, self._owned)

    def buy(self, code: Code, quantity: int) -> None:
        """Buy so many pieces of an item."""
        self._go("grand_exchange")
        self.steps.append(Do("buy", (code, quantity)))

    def craft(self, shop: str, crafts: Mapping[Code, int], codes: Collection[Code]) -> None:
        """Visit a workshop and craft some of the crafts there, in their order."""
        self._go("workshop", shop)
        self.steps += [Do("craft", (code, quantity)) for code, quantity in crafts.items() if code in codes]

    def change(self, steps: Iterable[Step]) -> None:
        """Change the dress by some steps."""
        self.steps += steps

    def dress(self, dress: Dress) -> None:
        """Change to a dress. A new piece goes into its own slot, or into another of the type if that is not free."""
        for slot, piece in list(self._worn.items()):
            if piece not in dress:
                del self._worn[slot]
                self.steps.append(Do("unequip", (slot,)))
        for piece in sorted(dress - set(self._worn.values())):
            slots = [piece.slot, *(slot for slot in self._world.slots if slot_type(slot) == slot_type(piece.slot))]
            slot = next(slot for slot in slots if slot not in self._worn)
            self._worn[slot] = piece
            self.steps.append(Do("equip", (slot, piece.code)))

    def hunt(self, who: Code, hunt: Hunt) -> None:
        """Beat a monster as often as a hunt says."""
        self._go("monster", who)
        wins = hunt.wins - bool(hunt.until)  # to go on until there is enough begins with a fight
        if wins:
            self.steps.append(Do("fight", (), wins))
        if hunt.until:
            self.steps.append(FightUntil(tuple((code, self._owned.get(code, 0) + n) for code, n in hunt.until.items())))

    def _go(self, kind: str, code: Code = ANY) -> None:
        """Move to the next tile that holds something, unless he is on one; a tile that is told is preferred."""
        standing = self._world.standing(kind)
        places = [place for place in self._known_places if place in standing and code in (ANY, standing[place])]
        if not places:
            raise Unplannable(f"there is no {kind} {code} on the map")
        if self._place not in places:
            self._place = places[0]
            self.steps.append(Do("move", self._place))
