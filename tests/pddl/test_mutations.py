"""PDDL that is spoilt at random is refused with its place, or read as a task that can be grounded."""

import re
from collections import Counter
from random import Random

from herobench.pddl import Grounded, PddlError, Simulation, ground, read_task
from tests.pddl.naive import Naive
from tests.pddl.small import CROSSING, FERRY
from tests.sizes import many

JUNK = ["(", ")", "(and", "-", "?x", "=", "not", "or", ":init", "object", ";", "\n", "\x00", "\u00e9", "(()", "either"]


def spoilt(chance: Random, text: str) -> str:
    """The text with one or two changes: characters, words or atoms lost, doubled, moved or replaced."""
    for _ in range(chance.choice([1, 1, 2])):
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + chance.choice([1, 1, 5, 30, 100]))
        part = text[start:end]
        words = text.split(" ")
        one, other = chance.randrange(len(words)), chance.randrange(len(words))
        atoms = [found.span() for found in re.finditer(r"\([^()]*\)", text)] or [(start, end)]
        match chance.randrange(7):
            case 0:
                text = text[:start] + text[end:]
            case 1:
                text = text[:start] + part + text[start:]
            case 2:
                text = text[:start] + chance.choice(JUNK) + text[start:]
            case 3:
                words[one], words[other] = words[other], words[one]
                text = " ".join(words)
            case 4:
                words[one] = chance.choice(JUNK)
                text = " ".join(words)
            case 5:
                start, end = chance.choice(atoms)
                text = text[:start] + text[end:]
            case _:
                (start, end), (first, last) = chance.choice(atoms), chance.choice(atoms)
                text = text[:start] + text[first:last] + text[end:]
    return text


def is_placed(error: PddlError, texts: list[str]) -> bool:
    """Whether an error says what was expected, and its place is one of these texts."""
    lines = [line for text in texts for line in text.split("\n")[error.line - 1 : error.line]]
    inside = any(1 <= error.column <= len(line) + 1 for line in lines)
    return inside and error.line >= 1 and error.message.startswith("expected ")


def check(seed: int, pairs: list[tuple[str, str]]) -> str:
    """Spoil one text of a pair; return whether it was refused or read. Whatever is read has to be sound."""
    chance = Random(seed)
    texts = list(chance.choice(pairs))
    which = chance.randrange(2)
    texts[which] = spoilt(chance, texts[which])
    try:
        task = read_task(*texts)
    except PddlError as error:
        return "refused" if is_placed(error, texts) else f"refused without a place: {error}"
    assert all(task.is_atom(*atom) for atom in (*task.problem.initial, *task.problem.goal))
    grounded, simulation = ground(task), Simulation(task)
    assert all(task.is_action(action.name, action.args) for action in grounded.actions)
    for action in grounded.applicable(grounded.initial)[:20]:
        same = simulation.ground_action(action.name, action.args)
        assert not simulation.false_preconditions(simulation.initial, same)
    check_reading(texts, grounded)
    return "read"


def check_reading(texts: list[str], grounded: Grounded) -> None:
    """Another reader finds the same objects, facts and actions that can be carried out."""
    naive, task = Naive.of(*texts), grounded.task
    assert naive.objects == task.problem.objects
    assert naive.initial == set(map(str, task.problem.initial))
    assert naive.goal == set(map(str, task.problem.goal))
    if naive.is_small(3_000, 0):
        possible = {name for name, action in naive.actions.items() if action.is_applicable(naive.initial)}
        assert possible == set(map(str, grounded.applicable(grounded.initial)))


def test_spoilt_texts_are_refused_or_read() -> None:
    found = Counter(check(seed, [(FERRY, CROSSING)]) for seed in range(many(1_000, 60)))
    assert found.keys() == {"refused", "read"}
