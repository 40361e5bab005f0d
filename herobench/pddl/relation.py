"""Relations between the parameters of an action, and joining them: the groundings that can ever apply."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter

from herobench.pddl.task import AnyOf, Atom, Condition, PddlParameter, PddlTask, Schema, Unequal

Row = tuple[str, ...]
Key = str | Row

MOST_WORK = 5_000_000
"""The rows, entries of indexes and conditions that a grounding may look at, each weighed by its length."""


class TooMuchWork(Exception):
    """Raised before a grounding does more work than it may."""


class GroundingWork:
    """Counts the work of one grounding: time and memory grow with it."""

    def __init__(self, most: int = MOST_WORK) -> None:
        self._left = most

    def take(self, count: int) -> None:
        """Count work before it is done. Raise TooMuchWork if too little is left."""
        self._left -= count
        if self._left < 0:
            raise TooMuchWork


@dataclass(frozen=True, slots=True)
class JoinPattern:
    """The known and the new positions of a tuple, and further conditions on it."""

    known: tuple[int, ...]
    new: tuple[int, ...]
    same: tuple[tuple[int, int], ...] = ()
    """Pairs of positions that have to hold the same object."""
    fixed: tuple[tuple[int, str], ...] = ()
    """Positions that have to hold a constant."""
    among: tuple[tuple[int, frozenset[str]], ...] = ()
    """Positions that have to hold one of some objects."""

    def fits(self, row: Row) -> bool:
        """Return whether a tuple fulfils the tests that do not depend on the known values."""
        return (
            all(row[first] == row[second] for first, second in self.same)
            and all(row[place] == value for place, value in self.fixed)
            and all(row[place] in values for place, values in self.among)
        )


class Index:
    """The tuples of a relation that fit a pattern: for each key the rows of new values."""

    def __init__(self, pattern: JoinPattern) -> None:
        self.rows: dict[Key, list[Row]] = {}
        self.size = 0
        """At least the number of rows."""
        self._pattern = pattern
        self._key = getter(pattern.known)
        self._new = row_getter(pattern.new)
        self._plain = not (pattern.same or pattern.fixed or pattern.among)

    def enter(self, rows: Collection[Row]) -> None:
        """Take in tuples that are new."""
        self.size += len(rows)
        key, new, entries = self._key, self._new, self.rows
        for row in rows:
            if self._plain or self._pattern.fits(row):
                entries.setdefault(key(row), []).append(new(row))


class Relation:
    """The tuples for which a predicate is true so far. Each tuple is work again for each index."""

    def __init__(self, work: GroundingWork, rows: Iterable[Row] = ()) -> None:
        self.rows: dict[Row, None] = dict.fromkeys(rows)
        self._work = work
        self._indexes: dict[JoinPattern, Index] = {}

    def enter(self, rows: Iterable[Row]) -> list[Row]:
        """Take in tuples, and return those that are new."""
        new = [row for row in dict.fromkeys(rows) if row not in self.rows]
        self._work.take(len(new) * (1 + len(self._indexes)))
        self.rows.update(dict.fromkeys(new))
        for index in self._indexes.values():
            index.enter(new)
        return new

    def index(self, pattern: JoinPattern) -> Index:
        """Return the index for a pattern, which is kept up to date from now on."""
        entry = self._indexes.get(pattern)
        if entry is None:
            self._work.take(len(self.rows))
            entry = self._indexes[pattern] = Index(pattern)
            entry.enter(self.rows)
        return entry


def getter(places: tuple[int, ...]) -> Callable[[Row], Key]:
    """Return a function that picks values out of a row: the value itself if it is only one."""
    return itemgetter(*places) if places else _nothing


def row_getter(places: tuple[int, ...]) -> Callable[[Row], Row]:
    """Return a function that picks values out of a row as a row."""
    if not places:
        return _nothing
    if places == tuple(range(places[0], places[-1] + 1)):
        return itemgetter(slice(places[0], places[-1] + 1))
    return itemgetter(*places)


def _nothing(_: Row) -> Row:
    return ()


WIDTH = 8
"""Values of a row that are a unit of work."""
_FEW = 10_000
"""Rows that may be made before they are counted."""


@dataclass(frozen=True, slots=True)
class LookUp:
    """Lengthens rows by what an index has for a key made of their values."""

    key: Callable[[Row], Key]
    index: Index
    width: int
    """The values of the longer rows."""

    def __call__(self, rows: list[Row], work: GroundingWork) -> list[Row]:
        """Return the longer rows. Raise TooMuchWork if they are too many."""
        key, entries = self.key, self.index.rows
        weight = 1 + self.width // WIDTH
        work.take(len(rows))
        # The exact count takes time, and is seldom needed.
        if few := len(rows) * self.index.size <= _FEW:
            count = 0
        else:
            count = sum(len(entries.get(key(row), ())) for row in rows)
        work.take(count * weight)
        longer = [row + new for row in rows for new in entries.get(key(row), ())]
        if few:
            work.take(len(longer) * weight)
        return longer


@dataclass(frozen=True, slots=True)
class Test:
    """Keeps the rows that fulfil a condition."""

    fulfils: Callable[[Row], bool]
    weight: int
    """The names that the condition has."""

    def __call__(self, rows: list[Row], work: GroundingWork) -> list[Row]:
        """Return the rows that are kept. Raise TooMuchWork if they are too many."""
        work.take(len(rows) * self.weight)
        return list(filter(self.fulfils, rows))


@dataclass(frozen=True, slots=True)
class Join:
    """The steps that find the arguments of an action."""

    first: JoinPattern
    """Turns the values of the atom that sets the join off into a row."""
    steps: list[LookUp | Test]
    arguments: Callable[[Row], Row]

    def __call__(self, start_rows: Sequence[Row], work: GroundingWork) -> Iterable[Row]:
        """Return the arguments of all actions in whose precondition one of the given tuples stands."""
        first = self.first
        as_row = row_getter(first.new)
        work.take(len(start_rows))
        rows = [as_row(row) for row in start_rows if first.fits(row)]
        for step in self.steps:
            if not rows:
                return ()
            rows = step(rows, work)
        return map(self.arguments, rows)


@dataclass
class ReachedAtoms:
    """Holds the atoms that were found reachable so far: a relation for each predicate, and one for each type."""

    task: PddlTask
    relations: Mapping[str, Relation]
    work: GroundingWork
    actions: int = 0
    """The actions that were found reachable."""
    _types: dict[str, Relation] = field(default_factory=dict)
    _among: dict[str, frozenset[str]] = field(default_factory=dict)
    _spread: dict[tuple[str, int], int] = field(default_factory=dict)

    def of_type(self, kind: str) -> Relation:
        """Return the relation of the objects of a type."""
        if kind not in self._types:
            self.work.take(self.task.objects.count(kind))
            self._types[kind] = Relation(self.work, ((name,) for name in self.task.objects[kind]))
        return self._types[kind]

    def among(self, kind: str) -> frozenset[str]:
        """Return the objects of a type, for patterns."""
        if kind not in self._among:
            self.work.take(self.task.objects.count(kind))
            self._among[kind] = frozenset(self.task.objects[kind])
        return self._among[kind]

    def expected_count(self, atom: Atom, bound_names: Iterable[str]) -> float:
        """Estimate how many tuples match an atom whose variables are partly known."""
        parameters = self.task.domain.predicates[atom.name].parameters
        places = [place for place, arg in enumerate(atom.args) if arg[0] != "?" or arg in bound_names]
        if atom.name in self.task.static:
            size = float(len(self.relations[atom.name].rows))
            for place in places:
                size /= max(1, self._distinct(atom.name, place))
            return size
        size = 1.0
        for place in set(range(len(parameters))).difference(places):
            size *= self.task.objects.count(parameters[place].type)
        return size

    def _distinct(self, name: str, place: int) -> int:
        key = name, place
        if key not in self._spread:
            self.work.take(len(self.relations[name].rows))
            self._spread[key] = len({row[place] for row in self.relations[name].rows})
        return self._spread[key]


class JoinPlan:
    """Builds the join of one schema, set off by one of its atoms or by none."""

    def __init__(self, schema: Schema, facts: ReachedAtoms, trigger: Atom | None) -> None:
        self._facts = facts
        self._kinds = {parameter.name: parameter.type for parameter in schema.parameters}
        self._places: dict[str, int] = {}
        """The place in the rows of each variable that is known."""
        self._steps: list[LookUp | Test] = []
        atoms = [part for part in schema.precondition if isinstance(part, Atom) and part.name != "="]
        self._tests = [part for part in schema.precondition if not isinstance(part, Atom) or part.name == "="]
        self._charge(schema, atoms)
        if trigger is None:
            first = JoinPattern((), ())
        else:
            atoms.remove(trigger)
            first = self._pattern(trigger, facts.task.domain.predicates[trigger.name].parameters)
        self._test()
        while atoms:
            atom = min(atoms, key=lambda atom: facts.expected_count(atom, self._places))
            atoms.remove(atom)
            parameters = facts.task.domain.predicates[atom.name].parameters
            self._look_up(facts.relations[atom.name], atom, parameters)
        for parameter in schema.parameters:
            if parameter.name not in self._places:
                self._look_up(facts.of_type(parameter.type), Atom("", (parameter.name,)), (parameter,))
        arguments = row_getter(tuple(self._places[parameter.name] for parameter in schema.parameters))
        self.join = Join(first, self._steps, arguments)

    def _charge(self, schema: Schema, atoms: Sequence[Atom]) -> None:
        """Count the work of the plan itself: each step looks at the atoms and the tests that are left."""
        steps = len(atoms) + len(schema.parameters)
        names = sum(1 + len(_arguments(part)) for part in (*atoms, *self._tests))
        self._facts.work.take(steps * (names + steps // WIDTH))

    def _look_up(self, relation: Relation, atom: Atom, parameters: Sequence[PddlParameter]) -> None:
        bound_places = tuple(self._places[arg] for arg in atom.args if arg in self._places)
        pattern = self._pattern(atom, parameters)
        self._steps.append(LookUp(getter(bound_places), relation.index(pattern), len(self._places)))
        self._test()

    def _pattern(self, atom: Atom, parameters: Sequence[PddlParameter]) -> JoinPattern:
        """Return the pattern of an atom, and note where in the rows its new variables will be."""
        task = self._facts.task
        bound_places, same, fixed, among = [], [], [], []
        new: dict[str, int] = {}
        for place, (arg, parameter) in enumerate(zip(atom.args, parameters, strict=True)):
            if arg[0] != "?":
                fixed.append((place, arg))
            elif arg in self._places:
                bound_places.append(place)
            elif arg in new:
                same.append((new[arg], place))
            else:
                new[arg] = place
                kind = self._kinds[arg]
                if not task.domain.is_subtype(parameter.type, kind):
                    among.append((place, self._facts.among(kind)))
        for arg in new:
            self._places[arg] = len(self._places)
        return JoinPattern(tuple(bound_places), tuple(new.values()), tuple(same), tuple(fixed), tuple(among))

    def _test(self) -> None:
        """Append the tests whose variables are all known by now."""
        tests, self._tests = self._tests, []
        for part in tests:
            if any(arg[0] == "?" and arg not in self._places for arg in _arguments(part)):
                self._tests.append(part)
            else:
                self._steps.append(Test(self._as_test(part), 1 + len(_arguments(part))))

    def _as_test(self, part: Condition) -> Callable[[Row], bool]:
        if isinstance(part, Unequal):
            left, right = self._value(part.left), self._value(part.right)
            return lambda row: left(row) != right(row)
        if isinstance(part, AnyOf):
            choices = [
                (self._facts.task.static[atom.name], tuple(self._value(arg) for arg in atom.args))
                for atom in part.atoms
            ]
            return lambda row: any(tuple(value(row) for value in values) in true for true, values in choices)
        left, right = self._value(part.args[0]), self._value(part.args[1])
        return lambda row: left(row) == right(row)

    def _value(self, arg: str) -> Callable[[Row], str]:
        if arg[0] != "?":
            return lambda row: arg
        place = self._places[arg]
        return lambda row: row[place]


def _arguments(part: Condition) -> tuple[str, ...]:
    if isinstance(part, Unequal):
        return part.left, part.right
    if isinstance(part, AnyOf):
        return tuple(arg for atom in part.atoms for arg in atom.args)
    return part.args
