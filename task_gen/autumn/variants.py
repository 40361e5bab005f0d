"""Variants of an environment: other colours, other constants, rows and columns exchanged. The rules stay what they are.

They are made so that nothing can be learned by heart. All of a variant's texts change together: both programs, the
condition, the colours of goals and the hints.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from random import Random

from herobench.suites.autumn.episode.challenge import started
from herobench.suites.autumn.episode.environment import Environment, with_constant
from herobench.suites.autumn.language.autumn_error import AutumnError
from herobench.suites.autumn.language.drawing import HEX
from herobench.suites.autumn.language.source import Node, ProgramText, Word
from herobench.suites.autumn.language.statistics import random_action
from herobench.suites.autumn.language.world import read_action

_REFUSED = frozenset("nextLiquid nextLiquidClosestHole nextLiquidMoveClosestHole isFreeRangeExceptObj rotate".split())
_REFUSED |= {"rotateNoCollision"}
_PAIRS = [("left", "up"), ("right", "down")]
_PAIRS += [(f"moveLeft{end}", f"moveUp{end}") for end in ("", "Pos", "NoCollision")]
_PAIRS += [(f"moveRight{end}", f"moveDown{end}") for end in ("", "Pos", "NoCollision")]
_OTHER = {one: other for pair in _PAIRS for one, other in (pair, pair[::-1])} | {"nextSolid": "moveRightNoCollision"}
_AXES = {"x": "y", "y": "x", '"x"': '"y"', '"y"': '"x"'}
_SWAPPED = {"Position": 1, "Cell": 1, "moveNoCollision": 2, "moveCanCollision": 2}
"""The first of the two arguments that are exchanged, by the head of a form."""
_PLAYS = 3
_STEPS = 120


def transposed(program: str) -> str | None:
    """Return a program, or a condition, with rows and columns exchanged; None where that is not known to be right."""
    words = set(re.findall(r"[A-Za-z]+", program))
    own_axes = re.search(r"\(:\s+[xy]\s", program)
    if words & _REFUSED or own_axes:
        return None
    form, _ = ProgramText(program).read_program()
    return _text(form)


def is_mirror(program: str, other: str) -> bool:
    """Return whether random plays of two programs show frames with rows and columns exchanged."""
    for number in range(_PLAYS):
        random = Random(f"mirror {number}")  # noqa: S311  a measurement, no secret
        try:
            one, two = started(program, number), started(other, number)
            for _ in range(_STEPS):
                if [list(row) for row in zip(*one.grid, strict=True)] != two.grid:
                    return False
                action = random_action(random, one.size)
                one.act(action)
                two.act(mirrored(action))
        except AutumnError:
            return False
    return True


def mirrored(action: str) -> str:
    """Return an action with rows and columns exchanged."""
    found = read_action(action)
    return f"click {found.y} {found.x}" if found.kind == "click" else _OTHER.get(action, action)


def _text(node: Node) -> str:
    if isinstance(node, Word):
        return _OTHER.get(node.text, node.text)
    parts = [_text(item) for item in node.items]
    at = _SWAPPED.get(node.head)
    if at is not None and len(parts) > at + 1:
        parts[at], parts[at + 1] = parts[at + 1], parts[at]
    if node.head in ("..", "updateObj") and len(parts) > 2:
        parts[2] = _AXES.get(parts[2], parts[2])
    return f"({' '.join(parts)})"


_PALETTE = (
    "red orange gold yellow lime green seagreen teal cyan skyblue dodgerblue blue navy purple magenta hotpink pink "
    "crimson brown tan olive gray silver white coral indigo turquoise orchid".split()
)
"""Colours that are easy to tell apart."""


def variant_of(environment: Environment, random: Random) -> Environment:
    """Return a variant. The draw alone decides what it is like."""
    made = _with_constants(environment, random)
    made = _with_colors(made, random)
    return _transposed(made) if random.random() < 0.5 else made


def _with_constants(environment: Environment, random: Random) -> Environment:
    base, changed = environment.base, environment.changed
    for name, numbers in environment.constants.items():
        number = random.choice(numbers)
        base, changed = with_constant(base, name, number), with_constant(changed, name, number)
    return replace(environment, base=base, changed=changed)


def _with_colors(environment: Environment, random: Random) -> Environment:
    """Exchange the colours that the programs name. The background stays where a program does not name it."""
    texts = environment.base + environment.changed
    named = [word for word in dict.fromkeys(re.findall(r'"(\w+)"', texts)) if word.lower() in HEX]
    plain = _COMMENTS_AND_STRINGS.sub("", texts)
    used = [color for color in named if not re.search(rf"\b{color}\b", plain)]  # not the name of a field or a variable
    kept = {color.lower() for color in named if color not in used} | {"black"}
    free = [color for color in _PALETTE if color not in kept]
    if len({color.lower() for color in used}) < len(used) or len(used) > len(free):
        return environment
    other = dict(zip(used, random.sample(free, len(used)), strict=True))
    return replace(
        environment,
        base=_recolored(environment.base, other),
        changed=_recolored(environment.changed, other),
        condition=_recolored(environment.condition, other),
        shows=tuple(other.get(color, color) for color in environment.shows),
        hints=tuple(_reworded(hint, other) for hint in environment.hints),
    )


_COMMENTS_AND_STRINGS = re.compile(r';[^\n]*|"(?:[^"\\\n]|\\.)*"')


def _recolored(text: str, other: Mapping[str, str]) -> str:
    """Return a program in which strings that are colours are other colours."""
    return re.sub(r'"(\w+)"', lambda match: f'"{other.get(match[1], match[1])}"', text)


def _reworded(text: str, other: Mapping[str, str]) -> str:
    return re.sub(r"\w+", lambda match: other.get(match[0], match[0]), text)


def _transposed(environment: Environment) -> Environment:
    """Return the environment with rows and columns exchanged, or as it is where that cannot be done."""
    texts = [transposed(text) for text in (environment.base, environment.changed, f"({environment.condition})")]
    base, changed, condition = texts
    if base is None or changed is None or condition is None:
        return environment
    if not (is_mirror(environment.base, base) and is_mirror(environment.changed, changed)):
        return environment
    return replace(environment, base=base, changed=changed, condition=condition[1:-1])
