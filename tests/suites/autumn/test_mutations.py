"""Programs that are spoilt at random either run soundly or are refused with a place, and never hang.

Each mutated program also runs with every local variable in dynamic scope: what the compiler takes for certain from the
text must not show.
"""

from random import Random

import pytest

from herobench.suites.autumn import AutumnError, Limits, Program
from herobench.suites.autumn.language.library import SIGNATURES
from herobench.suites.autumn.language.names import Names
from herobench.suites.autumn.language.parser import ProgramForm, ProgramText, Word
from tests.sizes import many
from tests.suites.autumn.garden import ACTIONS, PROGRAMS

LIMITS = Limits(work=100_000, items=5_000, cells=5_000, values=20_000)
ATOMS = ["0", "-1", "7", "true", '"red"', "(list)", "clicked", "left", "click", "GRID_SIZE", "(Position 2 1)", "x", "f"]
WRAPPED = [
    "(let {})",
    "(= x {})",
    "(list {} {})",
    "(! {})",
    "(if {} then {} else 0)",
    "(--> x {})",
    "(prev {})",
    "(f {})",
]
WRAPPED += [
    "(map (--> x {}) (range 0 3))",
    "(.. {} origin)",
    "(removeObj {})",
    "(updateObj {} (--> o {}))",
    "(let (= x 1) {})",
]


def written(node: Word | ProgramForm) -> str:
    return node.text if isinstance(node, Word) else f"({' '.join(map(written, node.items))})"


PLACES = {"if": (1, 3, 5), "=": (2,), "-->": (2,), "fn": (2,), "..": (1,), "initnext": (1, 2), "object": (-1,), ":": ()}
"""Where an expression stands in a form, if not everywhere after its head."""


def mutated(text: str, random: Random) -> str:
    """The program with some parts replaced, doubled, wrapped or deleted; or with its text struck."""
    if random.random() < 0.1:
        at = random.randrange(len(text))
        struck = random.choice(["", "(", ")", '"', ";", "=", "\\", "\x00", "é", "(fn"])
        return text[:at] + struck + text[at + random.randrange(3) :]
    form = ProgramText(text).read_program()
    for _ in range(random.choice([1, 1, 2, 3])):
        forms = [form]
        for made in forms:
            forms += [item for item in made.items if isinstance(item, ProgramForm)]
        mutate(random.choice(forms), forms[1:], random)
    return written(form)


def mutate(parent: ProgramForm, forms: list[ProgramForm], random: Random) -> None:
    """Change one item of a form: most often one expression to another."""
    anywhere = random.random() < 0.1
    places = range(len(parent.items)) if anywhere else PLACES.get(parent.head, range(1, len(parent.items)))
    if not places or not parent.items:
        return
    at = random.choice(places) % len(parent.items)
    before = written(parent.items[at])
    changes = [
        written(random.choice(forms)) if forms else "0",
        random.choice(ATOMS),
        random.choice(sorted(SIGNATURES)),
        random.choice(WRAPPED).replace("{}", before),
        f"{before} {before}" if anywhere else before,
        "" if anywhere else before.replace("1", "2"),
    ]
    parent.items[at] = Word(random.choice(changes), 0)


def outcome(text: str, seed: int) -> list[object]:
    """The frames of a program, and the error that ended it."""
    found: list[object] = []
    random = Random(seed)
    try:
        world = Program.from_text(text, limits=LIMITS).start(seed)
        for _ in range(12):
            world.act(random.choice(ACTIONS))
            found.append(world.grid)
        found.append(world.clone().grid)
    except AutumnError as error:
        found.append(error)
    return found


def check(seed: int, monkeypatch: pytest.MonkeyPatch) -> bool:
    random = Random(seed)
    text = mutated(random.choice(list(PROGRAMS.values())), random)
    plain = outcome(text, seed)
    if isinstance(end := plain[-1], AutumnError):
        assert end.line >= 1
        assert end.column >= 1
        assert "wrong type" not in end.message, end
    with monkeypatch.context() as patch:
        patch.setattr(Names, "dynamic", property(lambda names: frozenset(names.local)))
        dynamic = outcome(text, seed)
    # the limits of work and depth are reached earlier with dynamic scope
    if not any("work" in str(part) or "nest" in str(part) for part in (*plain, *dynamic)):
        assert list(map(str, dynamic)) == list(map(str, plain)), text
    return isinstance(plain[-1], list)


def test_mutated_programs_run_soundly_or_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(many(4_000, 30)):
        check(seed, monkeypatch)
