"""A game that a person plays with typed lines: takes a line, returns the text to show.

An action is typed by its name and its values in order, such as `move hester mill-past lane-past`. A line that is no
action of the level is answered with a hint and is no turn. An action that is refused is a turn, as it is for a model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

from herobench.pddl import Atom
from herobench.suites.epoch.content import causal_rules
from herobench.suites.epoch.level import Level
from herobench.suites.epoch.prover import call_of
from herobench.suites.epoch.style import Style
from herobench.suites.epoch.telling import WORDS, Telling
from herobench.suites.epoch.turn import SIGNALS

_HELP = """\
ACTION VALUE ...   do something, with the values in the order shown below
?                  list the actions that can be carried out now; `? WORD` lists those with this word, such as `? take`
state, goal        show the whole state, or the goal
rules              show what follows by itself
stuck, done        end the game, as a model does: give up, or say that you are done
quit               leave
The tab key completes a word, and the arrow keys bring lines back."""
QUIT = "quit"
_WHERE = ("people", "held", "time")
"""The facts that are shown after each turn."""


class HandPlay:
    """One game of a person."""

    def __init__(self, level: Level) -> None:
        self.level, self.game = level, level.start()
        self._telling = Telling(level, Style())
        self._commands: dict[str, Callable[[], str]] = {
            "help": self._help,
            "state": lambda: self._telling.state(self.game),
            "goal": self._goal,
            "rules": lambda: "\n".join(f"- {rule.told}" for rule in causal_rules()),
            "undo": lambda: "There is no undo: what is done stays done.",
        }

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.game.stop is not None

    @property
    def words(self) -> tuple[str, ...]:
        """The words that lines are made of, sorted."""
        things = (name for names in self.game.world.task.objects.values() for name in names)
        return tuple(sorted({*self.level.tools, *things, *self._commands, *SIGNALS, QUIT}))

    def opening(self) -> str:
        """Return the situation, the goal and the state, and how to play."""
        return f"{self._telling.opening(self.game)}\n\n{self._help()}"

    def answer(self, line: str) -> str:
        """Return what a typed line comes to."""
        # names are lower case
        word, *values = line.lower().split() or [""]
        if not word:
            return ""
        if word.startswith("?"):
            return self._possible([word for word in (word[1:], *values) if word])
        if word in self._commands:
            return self._commands[word]()
        if word in SIGNALS:
            return self._turn({"call": {"name": word, "arguments": {}}})
        wrong = self._wrong(word, values)
        return wrong or self._turn({"call": call_of(self.level, str(Atom(word, tuple(values))))})

    def _turn(self, turn: dict[str, object]) -> str:
        feedback = self.game.turn(turn)
        told = self._telling.result(self.game, turn, feedback)
        return f"{told}\n\n{self._telling.state(self.game, _WHERE)}" if feedback["kind"] == "done" else told

    def _wrong(self, tool: str, values: list[str]) -> str | None:
        """Return why a line is no action of this level; None if it is one."""
        if tool not in self.level.tools:
            return f"There is no action {tool!r}. {self._actions()}"
        keys = self.game.world.keys(tool)
        if len(values) != len(keys):
            shape, given = self._signature(tool), len(values)
            return f"{shape}: these are {len(keys)} values, and not {given}. `? {tool}` lists what can be done now."
        task = self.game.world.task
        for value, parameter in zip(values, task.domain.actions[tool].parameters, strict=True):
            known = task.objects[parameter.type]
            if value not in known:
                return f"{value!r} is no {parameter.type} of this level: {', '.join(known)}."
        return None

    # -- what is shown ------------------------------------------------------------------------------------------------

    def _help(self) -> str:
        shapes = {tool: self._signature(tool) for tool in self.level.tools}
        wide = max(map(len, shapes.values()))
        return "\n".join(
            [_HELP, "", *(f"{shape:{wide}}   {WORDS.fill(f'tool_{tool}')}" for tool, shape in shapes.items())]
        )

    def _actions(self) -> str:
        return f"The actions are {', '.join(self.level.tools)}; `help` says more."

    def _signature(self, tool: str) -> str:
        return f"{tool} {' '.join(key.upper() for key in self.game.world.keys(tool))}"

    def _goal(self) -> str:
        world = self.game.world
        return " ".join(world.facts(world.grounded.goal))

    def _possible(self, words: list[str]) -> str:
        """Return the actions with all of some words that can be carried out, as they are typed."""
        if foreign := [word for word in words if word not in self.words]:
            return f"{foreign[0]!r} is no action of this level, and nothing in it. {self._actions()}"
        shown = [" ".join(action) for action in self._applicable() if set(words) <= set(action)]
        wanted = f" with {' and '.join(words)}" if words else ""
        return "\n".join(sorted(shown)) or f"No action{wanted} can be carried out now."

    def _applicable(self) -> Iterator[tuple[str, ...]]:
        """Yield the actions that nothing forbids but, perhaps, what the level hides, such as which key fits."""
        world, hidden = self.game.world, set(self.level.hidden)
        schemas = world.task.domain.actions
        secret = {
            tool
            for tool in self.level.tools
            if any(isinstance(fact, Atom) and fact.name in hidden for fact in schemas[tool].precondition)
        }
        for action in world.tool_actions:
            if action.name not in secret and not action.pre & ~self.game.state:
                yield action.name, *action.args
        for tool in secret:
            kinds = [world.task.objects[parameter.type] for parameter in schemas[tool].parameters]
            for values in product(*kinds):
                unmet = world.unmet(self.game.state, Atom(tool, values))
                if all(fact.name in hidden for fact in unmet):
                    yield tool, *values

    def figures(self) -> dict[str, str]:
        """Return the figures of the game, in words."""
        row, level = self.game.row(), self.level
        return {
            "ended by": row["stop_reason"] or "you",
            "turns": f"{row['total_steps']} of {level.max_steps}",
            "carried out": f"{row['world_valid_steps']} (a shortest plan has {level.optimal})",
            "refused": str(row["precondition_errors"]),
            "milestones": f"{row['milestones_reached']} of {row['milestones_total']}",
            **{
                name.replace("_", " "): f"{row[name]:.2f}"
                for name in ("world_action_accuracy", "recovery_rate", "causal_efficiency", "overhead_ratio")
                if row[name] is not None
            },
        }
