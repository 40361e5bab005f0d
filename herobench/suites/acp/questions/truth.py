"""The right answers: those that come with a question, and for other questions what a bounded search proves.

Published questions have proofs in the package, and generated ones carry theirs. The limits of the search count states,
so the same question gets the same proof on every machine. What they leave open is `unknown`, and an answer that depends
on it is not decided. The task prog has no proof for other questions, because they name their action only in words. The
tasks val, just and app need none: `sound` simulates them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from herobench.data.kept import keep_last
from herobench.pddl import SearchLimits
from herobench.pddl.limits import SearchBudget
from herobench.suites.acp.questions.questions import Proof, Question, proof_of
from herobench.suites.acp.questions.situation import Situation, situation_at, situation_of

LIMITS = SearchLimits(states=2_000, tests=200_000_000)
"""The limits of one search: some seconds of work. Searches of published questions take up to 33 million tests."""
_MOST_ACTIONS = 500
"""The most actions whose reachability is looked into: each may take a search of its own."""
_KEPT, _ITEMS = 1024, 1_000_000
"""The number of proofs that are kept, and of the propositions and actions that they may name together."""


def truth_of(question: Question) -> Proof | None:
    """Return the proof of a question; None if there is none."""
    proof = proof_of(question)
    if proof is not None and question.task in _RELAXED and question.proof is not None:
        return _RELAXED[question.task](situation_of(question), frozenset(proof.sound["never"]))
    if proof is not None or question.task not in _SEARCHES:
        return proof
    situation_of(question)  # names the question if its PDDL cannot be read
    return _searched(question.task, question.pddl_domain, question.pddl_problem)


def _size(proof: Proof | None) -> int:
    return 0 if proof is None else proof.size


@keep_last(_KEPT, _ITEMS, _size)
def _searched(task: str, domain: str, problem: str) -> Proof | None:
    situation = situation_at(domain, problem)
    with situation.alone:
        return _SEARCHES[task](situation)


def _reach(situation: Situation) -> Proof:
    grounded = situation.grounded
    found = grounded.reachable_atoms(LIMITS)
    never, unknown = _texts(grounded.atoms_of(found.never)), _texts(grounded.atoms_of(found.unknown))
    return _reach_but(situation, never, unknown)


def _areach(situation: Situation) -> Proof | None:
    if len(situation.grounded.actions) > _MOST_ACTIONS:
        return None
    found = situation.grounded.reachable_actions(LIMITS)
    return _areach_but(situation, _texts(found.never), _texts(found.unknown))


def _reach_but(situation: Situation, never: frozenset[str], unknown: frozenset[str] = frozenset()) -> Proof:
    """Return the proof that of the relaxed reachable propositions some are out of reach."""
    grounded, task = situation.grounded, situation.task
    reachable = _texts(grounded.atoms_of(grounded.reachable)) - never - unknown
    return _never(reachable, unknown, task.count_atoms(task.fluents))


def _areach_but(situation: Situation, never: frozenset[str], unknown: frozenset[str] = frozenset()) -> Proof:
    """Return the proof that of the relaxed reachable actions some are never applicable."""
    reachable = _texts(situation.grounded.actions) - never - unknown
    return _never(reachable, unknown, situation.task.count_actions())


def _land(situation: Situation) -> Proof | None:
    grounded = situation.grounded
    found = grounded.landmarks(LIMITS)
    if found is None:
        return None
    return Proof(list(map(str, grounded.atoms_of(found.needed))), unknown=_texts(grounded.atoms_of(found.unknown)))


def _nexta(situation: Situation) -> Proof | None:
    grounded = situation.grounded
    limits = grounded.scaled(LIMITS)
    whole = SearchBudget(limits)  # each search may look at so many states, and all together may make so many tests
    shortest = grounded.a_star(grounded.initial, limits=SearchBudget(limits, whole)).plan
    if shortest is None:
        return None
    sides: dict[bool | None, list[str]] = {True: [], False: [], None: []}
    for action in grounded.applicable(grounded.initial):
        after = grounded.progress(grounded.initial, action)
        rest = len(shortest) - 1
        is_next = rest >= 0 and grounded.a_star(after, rest, SearchBudget(limits, whole)).exists
        sides[is_next].append(str(action))
    return Proof({"yes": sides[True], "no": sides[False], "opt": len(shortest)}, unknown=frozenset(sides[None]))


_SEARCHES: Mapping[str, Callable[[Situation], Proof | None]] = MappingProxyType(
    {"reach": _reach, "areach": _areach, "land": _land, "nexta": _nexta}
)
_RELAXED: Mapping[str, Callable[[Situation, frozenset[str]], Proof]] = MappingProxyType(
    {"reach": _reach_but, "areach": _areach_but}
)
"""The tasks for which a generated question names only what the delete relaxation does not refute."""


def _never(reachable: frozenset[str], unknown: frozenset[str], everything: int) -> Proof:
    unreachable = everything - len(reachable) - len(unknown)
    return Proof({"reachable": sorted(reachable)}, unreachable=unreachable, unknown=unknown)


def _texts(items: Iterable[object]) -> frozenset[str]:
    return frozenset(map(str, items))
