"""Variants of an environment: other colours, other constants, rows and columns exchanged. The rules stay what they are.

They are made so that nothing can be learned by heart. All of a variant's texts change together: both programs, the
condition, the colours of goals and the hints.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from random import Random

from herobench.suites.autumn.constants import with_constant
from herobench.suites.autumn.environment import Environment
from herobench.suites.autumn.language.colours import HEX
from herobench.suites.autumn.making.transposing import is_mirror, transposed

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
