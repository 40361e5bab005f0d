"""Tells a level and its game to a model. All words are in `herobench/suites/epoch/prompts`."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any

from herobench.conversation import Tool
from herobench.pddl import Atom
from herobench.pddl.task import bits
from herobench.prompts.words import Words, load_words
from herobench.suites.epoch.game.columns import LevelStyle, Told
from herobench.suites.epoch.game.game import MOST_INVALID, MOST_VISITS, SIGNALS, first_call
from herobench.suites.epoch.game.world import ROAD, domain_name, level_world, parse_atom

if TYPE_CHECKING:
    from herobench.suites.epoch.game.game import EpochGame, Feedback
    from herobench.suites.epoch.game.level import Level

_PACKAGE = "herobench.suites.epoch"
WORDS = load_words("prompts", _PACKAGE)
_LANES = load_words("prompts/lanes", _PACKAGE)
_ROAD = load_words("prompts/road", _PACKAGE)
"""The words that are other ones on a road."""
_GROUPS: Mapping[str, tuple[str, ...]] = {
    "people": ("at", "vigor"),
    "held": ("has", "holds"),
    "lying": ("lies",),
    "open": ("unlocked", "opened", "free", "free-hands", "empty", "lever-ready", "open", "soil"),
    "time": ("tree-exists", "stone-readable", "amendment-in-constitution", "clocks-aligned"),
}
"""The predicates of each group of facts in a state. All others are deeds."""
_GROUP_OF = {predicate: group for group, predicates in _GROUPS.items() for predicate in predicates}
_NO_ARGUMENTS = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}


def words_digest(problems: Iterable[str]) -> str:
    """Return the digest of the words that tell some levels, by their problems."""
    digests = [words.digest() for words in (WORDS, _ROAD)]
    is_road = any(domain_name(problem) == ROAD for problem in problems)
    return hashlib.sha256("".join(digests).encode()).hexdigest() if is_road else digests[0]


def lane_digest(lane: Told) -> str:
    """Return the digest of the words that only this lane has."""
    return _LANES.digest(lambda name: name.startswith(lane))


class LevelTelling:
    """The words of one level in one style."""

    def __init__(self, level: Level, style: LevelStyle) -> None:
        self.level, self.style = level, style
        self._world = level_world(level)
        self._words = _ROAD if domain_name(level.problem) == ROAD else WORDS
        """The words for actions and for the protocol."""

    # -- the opening --------------------------------------------------------------------------------------------------

    def system(self, protocol: str) -> str:
        """Return the first message: the protocol `tools` or `plan`, the actions, the rules, and what fades."""
        more = [self._follows(), self._fading(), self._rules() if self.style.lane == "rules" else ""]
        return (
            self._own("system")
            .fill(
                "system",
                protocol=self._words.fill(f"protocol_{protocol}", **self._limits),
                actions="\n".join(map(self._action, self.level.tools)),
                more="\n\n".join(filter(None, more)),
            )
            .rstrip()
        )

    @property
    def _limits(self) -> Mapping[str, object]:
        level = self.level
        return {
            "turns": level.max_steps,
            "errors": MOST_INVALID,
            "visits": MOST_VISITS,
            "idle": level.stagnation_window,
            "milestones": " ".join(level.milestones),
            "least": self._least(),
        }

    def _least(self) -> str:
        """Return how many hours win a road, in words."""
        if self.level.limit is None:
            return ""
        percent = round(100 * (self.level.limit - 1), 1)
        return _ROAD.fill("within", percent=f"{percent:g}") if percent else _ROAD.fill("least")

    def opening(self, game: EpochGame) -> str:
        """Return the second message: the situation, the goal, what never changes, and the first state."""
        level, world = self.level, self._world
        return WORDS.fill(
            "opening",
            title=level.title,
            brief=level.brief,
            clues="\n\n" + "\n".join(f"- {clue}" for clue in level.clues) if level.clues else "",
            goal=" ".join(world.facts(world.grounded.goal)),
            static=self._static(),
            state=self.state(game) + (f"\n\n{self._steps()}" if self.style.lane == "steps" else ""),
        )

    def _static(self) -> str:
        """Return the visible facts that never change; of a road those of each map together, ways with their hours."""
        atoms = [atom for atom in self._world.static if atom.name not in self.level.hidden]
        if "static" not in self._words.templates:
            return "\n".join(_lines(atoms))
        maps = _maps(atoms)
        general = "\n".join(_lines(atom for atom in atoms if not maps.keys() & {*atom.args}))
        placed: dict[str, list[Atom]] = {}
        for atom in _two_way([atom for atom in atoms if maps.keys() & {*atom.args}], self._world.task.problem.values):
            placed.setdefault(next(maps[arg] for arg in reversed(atom.args) if arg in maps), []).append(atom)
        return self._words.fill(
            "static", general=general, maps="\n\n".join("\n".join(_lines(own)) for own in placed.values())
        )

    def _action(self, name: str) -> str:
        schema = self._world.task.domain.actions[name]
        parameters = ", ".join(f"{parameter.name[1:]}: {parameter.type}" for parameter in schema.parameters)
        needs = ""
        if self.style.preconditions == "told":
            needs = " " + WORDS.fill("needs", facts=" ".join(map(str, schema.precondition)))
        return WORDS.fill(
            "action", name=name, parameters=parameters, about=self._words.fill(f"tool_{name}"), needs=needs
        )

    def _follows(self) -> str:
        """Return the rules that can add a fact in this level; others are of things that it does not have."""
        rules = "\n".join(f"- {rule.told}" for rule in self._world.rules.able)
        return WORDS.fill("follows", rules=rules) if rules else ""

    def _fading(self) -> str:
        if (unstable := self.level.unstable) is None:
            return ""
        until = " " + WORDS.fill("until", fact=unstable.until) if unstable.until else ""
        return WORDS.fill("fading", predicate=unstable.predicate, ttl=unstable.ttl, until=until)

    # -- what the lanes tell beyond it --------------------------------------------------------------------------------

    def _rules(self) -> str:
        """Return the preconditions and effects of all actions, and the causal rules that can act, as facts."""
        schemas = [self._world.task.domain.actions[name] for name in self.level.tools]
        actions = (
            _LANES.fill(
                "rules_action",
                name=schema.name,
                parameters=", ".join(parameter.name for parameter in schema.parameters),
                needs=_in_words(schema.precondition),
                adds=_in_words(schema.add),
                deletes=_in_words(schema.delete),
            )
            for schema in schemas
        )
        rules = "\n".join(
            _LANES.fill("rules_causal", when=_in_words(rule.when), then=_in_words(rule.then))
            for rule in self._world.rules.able
        )
        follows = "\n\n" + _LANES.fill("rules_follow", rules=rules) if rules else ""
        return _LANES.fill("rules", actions="\n".join(actions), follows=follows)

    def _steps(self) -> str:
        """Return the level's plan in words, a numbered line for each action."""
        actions = map(parse_atom, self.level.reference_plan)
        steps = (
            self._step_words(name).fill(f"steps_{name}", **dict(zip(self._world.keys(name), args, strict=True)))
            for name, args in actions
        )
        lines = (_LANES.fill("steps_line", number=number, step=step) for number, step in enumerate(steps, 1))
        return _LANES.fill("steps", steps="\n".join(lines))

    def _own(self, name: str) -> Words:
        """Return the words of a road if it has them, else those of all levels."""
        return self._words if name in self._words.templates else WORDS

    def _step_words(self, name: str) -> Words:
        return self._words if f"steps_{name}" in self._words.templates else _LANES

    @cached_property
    def tools(self) -> tuple[Tool, ...]:
        """The tools: the actions of the level, and the two signals."""
        actions = (Tool(name, self._words.fill(f"tool_{name}"), self._parameters(name)) for name in self.level.tools)
        signals = (Tool(name, WORDS.fill(f"tool_{name}"), _NO_ARGUMENTS) for name in SIGNALS)
        return (*actions, *signals)

    def _parameters(self, name: str) -> dict[str, Any]:
        task = self._world.task
        parameters = task.domain.actions[name].parameters
        values = {
            parameter.name[1:]: {"type": "string", "enum": list(task.objects[parameter.type])}
            for parameter in parameters
        }
        return {"type": "object", "properties": values, "required": list(values), "additionalProperties": False}

    # -- turns --------------------------------------------------------------------------------------------------------

    def state(self, game: EpochGame, shown_groups: Collection[str] = (*_GROUPS, "deeds")) -> str:
        """Return the whole state, or only some of its groups, with what fades."""
        groups: dict[str, list[str]] = {name: [] for name in (*_GROUPS, "deeds")}
        for bit in bits(game.state):
            atom = self._world.grounded.atoms[bit]
            if atom.name not in self.level.hidden:
                groups[_GROUP_OF.get(atom.name, "deeds")].append(str(atom))
        lines = [
            WORDS.fill("group", title=WORDS.fill(f"group_{name}"), facts=" ".join(sorted(facts)))
            for name, facts in groups.items()
            if facts and name in shown_groups
        ]
        if countdown := game.countdown():
            facts = ", ".join(f"{fact} {count}" for fact, count in countdown.items())
            lines.append(WORDS.fill("group", title=WORDS.fill("group_countdown"), facts=facts))
        return WORDS.fill("state", groups="\n".join(lines))

    def result(self, game: EpochGame, turn: Mapping[str, Any], feedback: Feedback) -> str:
        """Return the result of a turn."""
        place = self._own("turn").fill(
            "turn", turn=game.turns, turns=self.level.max_steps, clock=game.clock, hours=game.hours
        )
        ending = [self.ending(game)] if game.stop else []
        return "\n".join([place, *self._turn_lines(turn, feedback), *ending])

    def ending(self, game: EpochGame) -> str:
        """Return whether a game was won or lost, and why."""
        if game.won:
            return WORDS.fill("won")
        why = "LATE" if game.stop == "SOLVED" else game.stop or "UNFINISHED"
        return WORDS.fill("lost", why=WORDS.fill(f"why_{why}", **self._limits))

    def _turn_lines(self, turn: Mapping[str, Any], feedback: Feedback) -> Iterator[str]:
        match feedback["kind"]:
            case "done":
                yield from self._deed_lines(feedback)
            case "precondition-failed":
                yield WORDS.fill("refused", facts="; ".join(self._false(feedback)))
            case "format-error":
                yield self._misread(turn, feedback["why"])

    def _deed_lines(self, feedback: Feedback) -> Iterator[str]:
        yield WORDS.fill("done", added=_in_words(feedback["added"]), deleted=_in_words(feedback["deleted"]))
        for caused in feedback["caused"]:
            because = self._visible(caused["because"])
            yield WORDS.fill("caused", rule=caused["rule"], fact=caused["added"], because=_in_words(because))
        if feedback["milestones"]:
            yield WORDS.fill("milestone", facts=_in_words(feedback["milestones"]))
        for decayed in feedback["decayed"]:
            yield WORDS.fill("decayed", **decayed)

    def _false(self, feedback: Feedback) -> Iterator[str]:
        """Yield a clause for each fact that is false; of hidden ones only what they are about."""
        for fact, hint in zip(feedback["unmet"], feedback["hints"], strict=True):
            predicate = parse_atom(fact).name
            ways = [*hint["actions"], *hint["rules"]]
            if predicate in self.level.hidden:
                name = f"hidden_{predicate}"
                yield WORDS.fill(name if name in WORDS.templates else "hidden")
            elif ways and self.style.hints == "on":
                yield WORDS.fill("false_with_hint", fact=fact, ways=" or ".join(ways))
            else:
                yield WORDS.fill("false", fact=fact)

    def _misread(self, turn: Mapping[str, Any], why: str) -> str:
        call = first_call(turn)
        arguments = ", ".join(self._world.keys(call["name"])) if call and why == "bad-arguments" else ""
        return WORDS.fill(why, tools=", ".join((*self.level.tools, *SIGNALS)), arguments=arguments)

    def _visible(self, facts: Iterable[str]) -> list[str]:
        return [fact for fact in facts if parse_atom(fact).name not in self.level.hidden]


def _in_words(facts: Iterable[object]) -> str:
    return " ".join(map(str, facts)) or WORDS.fill("nothing")


def _by_predicate(atoms: Iterable[Atom]) -> Iterator[list[Atom]]:
    """Yield the facts of each predicate, sorted."""
    return (list(same) for _, same in groupby(sorted(atoms), key=lambda atom: atom.name))


def _lines(atoms: Iterable[Atom]) -> Iterator[str]:
    """Yield the facts of each predicate on a line of their own."""
    return (" ".join(map(str, same)) for same in _by_predicate(atoms))


_WAYS = {"lifts": "open", "overgrows": "open", "beyond": "open"}
"""The kinds of ways that facts are about, if they have other names."""


def _maps(atoms: Iterable[Atom]) -> Mapping[str, str]:
    """Return for each place the name of its map: the first place among those that paths join."""
    near: dict[str, list[str]] = {}
    for name, args in atoms:
        if name == "path":
            near.setdefault(args[0], []).append(args[1])
            near.setdefault(args[1], []).append(args[0])
    maps: dict[str, str] = {}
    for place in near:
        line = [] if place in maps else [place]
        for other in line:  # grows while it is read
            if other not in maps:
                maps[other] = place
                line += near[other]
    return maps


def _two_way(atoms: Sequence[Atom], hours: Mapping[Atom, int]) -> Iterator[Atom]:
    """Yield facts, those of ways with their hours. Two that have the same two arguments, in both orders, are one with
    a star.
    """
    facts = {*atoms}
    for name, args in atoms:
        way = Atom(f"{_WAYS.get(name, name)}-hours", args[-2:])
        more = [str(hours[way])] if way in hours else []
        back = Atom(way.name, args[::-1])
        if len(args) != 2 or Atom(name, args[::-1]) not in facts or hours.get(way) != hours.get(back):
            yield Atom(name, (*args, *more))
        elif args[0] < args[1]:
            yield Atom(f"{name}*", (*args, *more))
