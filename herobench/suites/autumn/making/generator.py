"""The generator of the suite behind the contract: reads its options, and makes challenges in order, also of variants.

Variants of an environment have other colours, other constants, or rows and columns exchanged; the rules stay what they
are. They are made so that nothing can be learned by heart. All of a variant's texts change together: both programs, the
condition, the colours of goals and the hints.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Annotated, Any

from herobench.data.errors import InputError, Problem, UsageError
from herobench.data.options import Option
from herobench.suite.generating import GenerateRequest, Numbered, TaskGenerator
from herobench.suites.autumn.episode.challenge import FAMILIES, Challenge, Family, Test, start_world
from herobench.suites.autumn.episode.environment import Environment, load_environment, shipped_names, with_constant
from herobench.suites.autumn.language.drawing import HEX
from herobench.suites.autumn.language.errors import AutumnError
from herobench.suites.autumn.language.parser import Node, ProgramText, Word
from herobench.suites.autumn.language.program import random_action
from herobench.suites.autumn.language.world import read_action
from herobench.suites.autumn.making.detection import make_detection
from herobench.suites.autumn.making.planning import make_planning
from herobench.suites.autumn.making.prediction import make_prediction
from herobench.suites.autumn.refusals import AutumnFault

_SEEDS = 6
"""Seeds of the world that are tried before an environment is refused."""


def make_challenge(environment: Environment, family: Family, id: str, seed: int, number: int) -> Challenge:
    """Return a challenge. `seed` names a set of challenges, and `number` counts in it.

    Raises InputError if the environment gives none.
    """
    random = Random(f"{environment.id}/{family}/{seed}/{number}")  # noqa: S311  a draw, no secret
    for _ in range(_SEEDS):
        world_seed = random.randrange(1, 10_000)
        try:
            test_and_certificate = _make(environment, family, world_seed, seed, number, random)
        except AutumnError as error:
            raise InputError([Problem(environment.id, "", f"programs that do not fail, but: {error}")]) from error
        if test_and_certificate is not None:
            test, certificate = test_and_certificate
            return _challenge(environment, id, world_seed, test, certificate)
    raise InputError([Problem(environment.id, "", _NEEDED[family])])


_NEEDED: Mapping[Family, str] = {
    "prediction": "a world in which the same actions, in six orders, have six different ends that nothing else tells",
    "planning": "a goal that shows planning.shows, that can be reached in as many steps as planning.steps says, "
    "and that is not reached by waiting or by one action again and again",
    "detection": "a change that some of 40 random plays reach",
}


def _make(
    environment: Environment, family: Family, world_seed: int, seed: int, number: int, random: Random
) -> tuple[Test, dict[str, Any]] | None:
    if family == "prediction":
        return make_prediction(environment.base, world_seed, random)
    if family == "planning":
        return make_planning(environment, world_seed, random)
    return make_detection(environment, world_seed, random)


def _challenge(environment: Environment, id: str, seed: int, test: Test, certificate: Mapping[str, Any]) -> Challenge:
    return Challenge(
        id=id,
        environment=environment.id,
        title=environment.title,
        category=environment.category,
        stochastic=environment.stochastic,
        hints=environment.hints,
        program=environment.base,
        seed=seed,
        test=test,
        certificate=certificate,
    )


def _families(text: str) -> tuple[Family, ...]:
    families = tuple(family for family in FAMILIES if text in (family, "all"))
    if not families:
        raise ValueError(f"give one of {', '.join(FAMILIES)}, or all")
    return families


@dataclass(frozen=True, slots=True)
class ChallengeOptions:
    """The options by which users choose the challenges that are made."""

    environment: Annotated[
        str | None, Option("A shipped environment or a folder; without it, all shipped ones.", metavar="NAME")
    ] = None
    family: Annotated[
        tuple[Family, ...],
        Option(
            "The kind of test: prediction, planning, detection, or all.", metavar="NAME", shown="all", read=_families
        ),
    ] = FAMILIES
    variants: Annotated[bool, Option("Change colours, constants and geometry of the environments.")] = False


class AutumnGenerator(TaskGenerator):
    """Makes challenges for environments."""

    options = ChallengeOptions

    def numbered(self, request: GenerateRequest) -> Numbered:
        """Return challenges by their numbers."""
        orders = _orders(request)
        texts = [f"{environment!r}/{family}" for environment, family in orders.pairs]
        digest = hashlib.sha256("\n".join(texts).encode("utf-8", "surrogatepass")).hexdigest()
        identity = {"seed": orders.seed, "variants": orders.varied, "environments": digest}
        return Numbered(orders, identity, numbers=range(request.count or len(orders.pairs)))


@dataclass(frozen=True, slots=True)
class _Orders:
    """Deals out environments and families in turns: task number n of a request gets one pair of them."""

    pairs: Sequence[tuple[Environment, Family]]
    families: int
    seed: int
    varied: bool

    def __call__(self, number: int) -> Mapping[str, Any]:
        """Return the row of a challenge, by its number."""
        (environment, family), turn = self.pairs[number % len(self.pairs)], number // len(self.pairs) + 1
        id = f"{environment.id}-{family}-{self.seed}-{turn}"
        if self.varied:
            id += "-variant"
            environment = make_variant(environment, Random(id))  # noqa: S311  a draw, no secret
        return make_challenge(environment, family, id, self.seed, number // self.families).as_row()


def _orders(request: GenerateRequest) -> _Orders:
    options: ChallengeOptions = request.options
    names = [options.environment] if options.environment else shipped_names()
    environments = list(map(load_environment, names))
    pairs = [(each, family) for each in environments for family in options.family if family in each.families]
    if not pairs:
        raise UsageError(AutumnFault.NO_FAMILY, name=options.environment, families=", ".join(environments[0].families))
    return _Orders(pairs, len(options.family), request.seed, options.variants)


_PAIRS = [("left", "up"), ("right", "down")]
_PAIRS += [(f"moveLeft{end}", f"moveUp{end}") for end in ("", "Pos", "NoCollision")]
_PAIRS += [(f"moveRight{end}", f"moveDown{end}") for end in ("", "Pos", "NoCollision")]
_OTHER = {one: other for pair in _PAIRS for one, other in (pair, pair[::-1])} | {"nextSolid": "moveRightNoCollision"}
_AXES = {"x": "y", "y": "x", '"x"': '"y"', '"y"': '"x"'}
_SWAPPED = {"Position": 1, "Cell": 1, "moveNoCollision": 2}
"""The first of the two arguments that are exchanged, by the head of a form."""
_PLAYS = 3
_STEPS = 120


def transpose(program: str) -> str | None:
    """Return a program, or a condition, with rows and columns exchanged; None where that is not known to be right."""
    words = set(re.findall(r"[A-Za-z]+", program))
    own_axes = re.search(r"\(:\s+[xy]\s", program)
    if "nextLiquid" in words or own_axes:
        return None
    return _text(ProgramText(program).read_program())


def is_mirror(program: str, other: str) -> bool:
    """Return whether random plays of two programs show frames with rows and columns exchanged."""
    for number in range(_PLAYS):
        random = Random(f"mirror {number}")  # noqa: S311  a measurement, no secret
        try:
            one, two = start_world(program, number), start_world(other, number)
            for _ in range(_STEPS):
                if [list(row) for row in zip(*one.grid, strict=True)] != two.grid:
                    return False
                action = random_action(random, one.size)
                one.act(action)
                two.act(mirror(action))
        except AutumnError:
            return False
    return True


def mirror(action: str) -> str:
    """Return an action with rows and columns exchanged."""
    command = read_action(action)
    return f"click {command.y} {command.x}" if command.kind == "click" else _OTHER.get(action, action)


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


def make_variant(environment: Environment, random: Random) -> Environment:
    """Return a variant. The draw alone decides what it is like."""
    variant = _with_constants(environment, random)
    variant = _with_colors(variant, random)
    return _transpose(variant) if random.random() < 0.5 else variant


def _with_constants(environment: Environment, random: Random) -> Environment:
    base, changed = environment.base, environment.changed
    for name, numbers in environment.constants.items():
        number = random.choice(numbers)
        base, changed = with_constant(base, name, number), with_constant(changed, name, number)
    return replace(environment, base=base, changed=changed)


def _with_colors(environment: Environment, random: Random) -> Environment:
    """Exchange the colours that the programs name. The background stays where a program does not name it."""
    texts = environment.base + environment.changed
    color_words = [word for word in dict.fromkeys(re.findall(r'"(\w+)"', texts)) if word.lower() in HEX]
    plain = _COMMENTS_AND_STRINGS.sub("", texts)
    colors = [
        color for color in color_words if not re.search(rf"\b{color}\b", plain)
    ]  # not the name of a field or a variable
    reserved = {color.lower() for color in color_words if color not in colors} | {"black"}
    free = [color for color in _PALETTE if color not in reserved]
    if len({color.lower() for color in colors}) < len(colors) or len(colors) > len(free):
        return environment
    other = dict(zip(colors, random.sample(free, len(colors)), strict=True))
    return replace(
        environment,
        base=_recolor(environment.base, other),
        changed=_recolor(environment.changed, other),
        condition=_recolor(environment.condition, other),
        shows=tuple(other.get(color, color) for color in environment.shows),
        hints=tuple(_reword(hint, other) for hint in environment.hints),
    )


_COMMENTS_AND_STRINGS = re.compile(r';[^\n]*|"(?:[^"\\\n]|\\.)*"')


def _recolor(text: str, other: Mapping[str, str]) -> str:
    """Return a program in which strings that are colours are other colours."""
    return re.sub(r'"(\w+)"', lambda match: f'"{other.get(match[1], match[1])}"', text)


def _reword(text: str, other: Mapping[str, str]) -> str:
    return re.sub(r"\w+", lambda match: other.get(match[0], match[0]), text)


def _transpose(environment: Environment) -> Environment:
    """Return the environment with rows and columns exchanged, or as it is where that cannot be done."""
    texts = [transpose(text) for text in (environment.base, environment.changed, f"({environment.condition})")]
    base, changed, condition = texts
    if base is None or changed is None or condition is None:
        return environment
    if not (is_mirror(environment.base, base) and is_mirror(environment.changed, changed)):
        return environment
    return replace(environment, base=base, changed=changed, condition=condition[1:-1])
