"""An environment: a program with hidden rules, and the same program with one changed rule.

An environment is a folder with base.sexp, changed.sexp and environment.json. The shipped ones are in `data`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from herobench.data.documents import data_of, read_document, read_text, schema_problems
from herobench.data.errors import InputError, Problem, UsageError
from herobench.suites.autumn.episode.challenge import FAMILIES, Category, Family, start_world
from herobench.suites.autumn.language.errors import AutumnError
from herobench.suites.autumn.language.program import DEFAULT_LIMITS, draws, restore
from herobench.suites.autumn.refusals import AutumnFault

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


def find_statement(program: str, name: str) -> re.Match[str] | None:
    """Return the statement that gives a name its number; None if there is not exactly one. Group 1 is the number."""
    matches = list(re.finditer(rf"\(=\s+{re.escape(name)}\s+(-?\d+)\s*\)", program))
    return matches[0] if len(matches) == 1 else None


def with_constant(program: str, name: str, number: int) -> str:
    """Return a program in which a name has another number."""
    statement = find_statement(program, name)
    if statement is None:
        return program
    return f"{program[: statement.start(1)]}{number}{program[statement.end(1) :]}"


@dataclass(frozen=True, slots=True)
class Environment:
    """One environment."""

    id: str
    title: str
    category: Category
    hints: tuple[str, ...]
    base: str
    """The text of the program that is explored."""
    changed: str
    """The text of the program in which a rule changes at some moment."""
    condition: str
    """An expression about the changed program: true as soon as the change can be seen."""
    about: str
    """The change in one sentence, for authors."""
    steps: tuple[int, int]
    """The least and the greatest length of a shortest plan."""
    shows: tuple[str, ...]
    """Goals are about objects of these colours."""
    families: tuple[Family, ...]
    """The families of tests that it gives."""
    constants: Mapping[str, tuple[int, ...]]
    """The statements `(= NAME number)` of both programs that variants may replace, each with its numbers."""

    @property
    def stochastic(self) -> bool:
        """Whether the program draws random numbers."""
        return draws(restore(self.base, "", DEFAULT_LIMITS))


def shipped_names() -> list[str]:
    """Return the names of the shipped environments."""
    folder = data_of("herobench.suites.autumn")
    return sorted(entry.name for entry in folder.iterdir() if entry.is_dir()) if folder.is_dir() else []


def load_environment(name: str) -> Environment:
    """Return a shipped environment by its name, or that of a folder. Raise InputError with all of its problems."""
    if name in shipped_names():
        return read_environment(data_of("herobench.suites.autumn").joinpath(name), name)
    if not Path(name).is_dir():
        raise UsageError(AutumnFault.NO_ENVIRONMENT, name=name, names=", ".join(shipped_names()))
    return read_environment(Path(name), name)


def read_environment(folder: Traversable, place: str) -> Environment:
    """Return the environment of a folder. `place` names it in problems. Raise InputError with all of them."""
    document = f"{place}/environment.json"
    row, problems = read_document(folder.joinpath("environment.json"), document)
    problems = problems or schema_problems(row, "autumn-environment", document)
    texts = {}
    for file in ("base.sexp", "changed.sexp"):
        try:
            texts[file] = read_text(folder.joinpath(file))
        except (OSError, UnicodeDecodeError):
            problems.append(Problem(f"{place}/{file}", "", "a program in UTF-8"))
    if not problems:
        problems = list(_problems(row, texts["base.sexp"], texts["changed.sexp"], place))
    if problems:
        raise InputError(problems)
    return _build(row, texts["base.sexp"], texts["changed.sexp"])


def _build(row: Mapping[str, Any], base: str, changed: str) -> Environment:
    return Environment(
        id=row["id"],
        title=row["title"],
        category=row["category"],
        hints=tuple(row["hints"]),
        base=base,
        changed=changed,
        condition=row["change"]["condition"],
        about=row["change"]["about"],
        steps=(row["planning"]["steps"][0], row["planning"]["steps"][1]),
        shows=tuple(row["planning"]["shows"]),
        families=tuple(row.get("families", FAMILIES)),
        constants={name: tuple(numbers) for name, numbers in row["constants"].items()},
    )


def _problems(row: Mapping[str, Any], base: str, changed: str, place: str) -> Iterator[Problem]:
    """Yield the problems of documents that the schema accepts."""
    document = f"{place}/environment.json"
    wrong = False
    for file, text in (("base.sexp", base), ("changed.sexp", changed)):
        try:
            start_world(text, 0)
        except AutumnError as error:
            wrong = True
            yield Problem(f"{place}/{file}", "", f"a program that can be started ({error})")
        for name in row["constants"]:
            if find_statement(text, name) is None:
                yield Problem(document, f"$.constants.{name}", f"exactly one statement (= {name} NUMBER) in {file}")
    if not wrong:
        try:
            if start_world(changed, 0, row["change"]["condition"]).holds():
                yield Problem(document, "$.change.condition", "an expression that is false at the start")
        except AutumnError as error:
            yield Problem(document, "$.change.condition", f"an expression about the changed program ({error})")
    if row["planning"]["steps"][0] > row["planning"]["steps"][1]:
        yield Problem(document, "$.planning.steps", "the least length before the greatest", row["planning"]["steps"])
