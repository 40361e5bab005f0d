"""Where each person can walk: the places that a person can be at, and the moves between them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from herobench.pddl import Action, Atom


class Walk:
    """Where one person can walk."""

    def __init__(self, person: str, places: Mapping[str, int], moves: Mapping[int, Action]) -> None:
        self.person = person
        self.places = places
        """The bit of each place."""
        self._moves = {number: (move.args[1], move.args[2]) for number, move in moves.items()}
        self._near: dict[str, set[str]] = {place: set() for place in places}
        for start, end in self._moves.values():
            self._near[start].add(end)
            self._near[end].add(start)

    @property
    def is_tree(self) -> bool:
        """Whether there is one way at most between two places."""
        seen: set[str] = set()
        trees = 0
        for place in self.places:
            if place not in seen:
                seen.update(self._ways_from(place))
                trees += 1
        return sum(map(len, self._near.values())) == 2 * (len(self.places) - trees)

    def moves(self, wanted: int) -> list[int]:
        """Return the moves that can be of use if the person is, or has to be, at the wanted places only."""
        places = self.places
        near = {place: set(others) for place, others in self._near.items()}
        ends = [place for place, others in near.items() if len(others) < 2 and not places[place] & wanted]
        while ends:
            end = ends.pop()
            for other in near.pop(end):
                near[other].discard(end)
                if len(near[other]) < 2 and not places[other] & wanted and other not in ends:
                    ends.append(other)
        return [number for number, (start, end) in self._moves.items() if start in near and end in near]

    def shortest_tour(self, start: str, stops: Collection[str], ends: Collection[str]) -> int:
        """Return the fewest moves of a tour in a tree that passes all stops and ends at one of the `ends` among them.

        The tour passes each way to a stop there and back, but for the way to its end.
        """
        ways = self._ways_from(start)
        passed: set[str] = set()
        for stop in stops:
            place = stop if stop in ways else start
            while place != start and place not in passed:
                passed.add(place)
                place = ways[place][0]
        return 2 * len(passed) - max((ways[end][1] for end in ends if end in ways), default=0)

    def _ways_from(self, start: str) -> dict[str, tuple[str, int]]:
        """Return for each place that can be reached the place before it, and its distance."""
        ways = {start: (start, 0)}
        for place in (line := [start]):  # grows while it is read
            for other in self._near[place]:
                if other not in ways:
                    ways[other] = place, ways[place][1] + 1
                    line.append(other)
        return ways


def walks(actions: Sequence[Action], atoms: Sequence[Atom]) -> Iterator[Walk]:
    """Yield the walk of each person."""
    places: dict[str, dict[str, int]] = {}
    for bit, atom in enumerate(atoms):
        if atom.name == "at":
            places.setdefault(atom.args[0], {})[atom.args[1]] = 1 << bit
    moves = {number: action for number, action in enumerate(actions) if action.name == "move"}
    for person, own in places.items():
        yield Walk(person, own, {number: move for number, move in moves.items() if move.args[0] == person})
