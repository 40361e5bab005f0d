"""The reference grading: the scores of the published harness, its mistakes included.

docs/acp.md lists the mistakes. The harness asks a planner where its labels do not decide. Here proven answers stand in
for the planner. If nothing is proven, there is no score.

The right answers are those that come with a question. Published questions have proofs in the package, and generated
ones carry theirs. For other questions a bounded search proves what it can. Its limits count states, so the same
question gets the same proof on every machine. What they leave open is `unknown`, and an answer that depends on it is
not decided. The task prog has no proof for other questions, because they name their action only in words. The tasks
val, just and app need none: `sound` simulates them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from herobench.data.kept import keep_last
from herobench.pddl import SearchLimits
from herobench.pddl.limits import SearchBudget
from herobench.suites.acp.questions.lenient import NONE, Lists
from herobench.suites.acp.questions.questions import Proof, Question, by_task, plan_in, stored_proof
from herobench.suites.acp.questions.situation import Situation, parse_atom, read_situation, situation_at

LIMITS = SearchLimits(states=2_000, tests=200_000_000)
"""The limits of one search: some seconds of work. Searches of published questions take up to 33 million tests."""
_MOST_ACTIONS = 500
"""The most actions whose reachability is looked into: each may take a search of its own."""
_KEPT, _ITEMS = 1024, 1_000_000
"""The number of proofs that are kept, and of the propositions and actions that they may name together."""


def sound_proof(question: Question) -> Proof | None:
    """Return the stored proof of a question, or one that is found now; None if none is found."""
    proof = stored_proof(question)
    if proof is not None and question.task in _RELAXED and question.proof is not None:
        return _RELAXED[question.task](read_situation(question), frozenset(proof.sound["never"]))
    if proof is not None or question.task not in _SEARCHES:
        return proof
    read_situation(question)  # names the question if its PDDL cannot be read
    return _search(question.task, question.pddl_domain, question.pddl_problem)


def _size(proof: Proof | None) -> int:
    return 0 if proof is None else proof.size


@keep_last(_KEPT, _ITEMS, _size)
def _search(task: str, domain: str, problem: str) -> Proof | None:
    situation = situation_at(domain, problem)
    with situation.alone:
        return _SEARCHES[task](situation)


def _true_reach(situation: Situation) -> Proof:
    grounded = situation.grounded
    atoms = grounded.reachable_atoms(LIMITS)
    never, unknown = _texts(grounded.atoms_of(atoms.never)), _texts(grounded.atoms_of(atoms.unknown))
    return _reach_but(situation, never, unknown)


def _true_areach(situation: Situation) -> Proof | None:
    if len(situation.grounded.actions) > _MOST_ACTIONS:
        return None
    actions = situation.grounded.reachable_actions(LIMITS)
    return _areach_but(situation, _texts(actions.never), _texts(actions.unknown))


def _reach_but(situation: Situation, never: frozenset[str], unknown: frozenset[str] = frozenset()) -> Proof:
    """Return the proof that of the relaxed reachable propositions some are out of reach."""
    grounded, task = situation.grounded, situation.task
    reachable = _texts(grounded.atoms_of(grounded.reachable)) - never - unknown
    return _never(reachable, unknown, task.count_atoms(task.fluents))


def _areach_but(situation: Situation, never: frozenset[str], unknown: frozenset[str] = frozenset()) -> Proof:
    """Return the proof that of the relaxed reachable actions some are never applicable."""
    reachable = _texts(situation.grounded.actions) - never - unknown
    return _never(reachable, unknown, situation.task.count_actions())


def _true_land(situation: Situation) -> Proof | None:
    grounded = situation.grounded
    landmarks = grounded.landmarks(LIMITS)
    if landmarks is None:
        return None
    return Proof(
        list(map(str, grounded.atoms_of(landmarks.needed))), unknown=_texts(grounded.atoms_of(landmarks.unknown))
    )


def _true_nexta(situation: Situation) -> Proof | None:
    grounded = situation.grounded
    limits = grounded.scale_limits(LIMITS)
    whole = SearchBudget(limits)  # limits the states of each search, and the tests of all searches
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


_SEARCHES: Mapping[str, Callable[[Situation], Proof | None]] = {
    "reach": _true_reach,
    "areach": _true_areach,
    "land": _true_land,
    "nexta": _true_nexta,
}
_RELAXED: Mapping[str, Callable[[Situation, frozenset[str]], Proof]] = {"reach": _reach_but, "areach": _areach_but}
"""The tasks for which a generated question names only what the delete relaxation does not refute."""


def _never(reachable: frozenset[str], unknown: frozenset[str], everything: int) -> Proof:
    unreachable = everything - len(reachable) - len(unknown)
    return Proof({"reachable": sorted(reachable)}, unreachable=unreachable, unknown=unknown)


def _texts(items: Iterable[object]) -> frozenset[str]:
    return frozenset(map(str, items))


Judge = Callable[[Question, Lists], bool | None]


def reference_score(question: Question, answer: Lists | None) -> int | None:
    """Return the score of an answer that was read as the harness reads it; None if that is not proven."""
    is_right = answer is not None and _JUDGES[question.task](question, answer)
    return None if is_right is None else int(is_right)


def _app(question: Question, answer: Lists) -> bool:
    return _lower_case(answer[0]) == _lower_case(question.answer)


def _prog(question: Question, answer: Lists) -> bool:
    positive, negative = (*answer, ())[:2]  # of equal lists the harness has lost one
    label = question.answer
    return _lower_case(positive) == _lower_case(label["pos"]) and _lower_case(negative) == _lower_case(label["neg"])


def _reach(question: Question, answer: Lists) -> bool | None:
    ((item,),) = answer
    if not question.answer or item == NONE:
        return not question.answer and item == NONE
    atom, situation = parse_atom(item), read_situation(question)
    if atom in map(parse_atom, question.answer):
        return True
    predicate = situation.task.domain.predicates.get(atom.name)
    if predicate is None or len(predicate.parameters) != len(atom.args):
        return False
    if not situation.is_atom(item) or not situation.is_fluent(item):
        return not situation.holds(item)  # the harness does not look at objects and types
    return _is_never(question, item)


def _areach(question: Question, answer: Lists) -> bool | None:
    ((item,),) = answer
    if not question.answer or item == NONE:
        return not question.answer and item == NONE
    action = parse_atom(item)
    if action in map(parse_atom, question.answer):
        return True
    # the harness looks preconditions up among the actions that are reachable if nothing is ever deleted
    return read_situation(question).grounded.find(*action) is not None and _is_never(question, item)


def _val(question: Question, answer: Lists) -> bool:
    return answer[0][0] == str(question.answer)


def _just(question: Question, answer: Lists) -> bool:
    plan, shorter = plan_in(question.question), answer[0]
    is_shorter = 0 < len(shorter) < len(plan)
    # upper and lower case differ here, though nowhere else
    return is_shorter and is_subsequence(shorter, plan) and read_situation(question).is_plan(shorter)


def _land(question: Question, answer: Lists) -> bool:
    ((item,),) = answer
    landmarks = question.answer["yes"]
    return not landmarks if item == NONE else item.lower() in _lower_case(landmarks)


def _nexta(question: Question, answer: Lists) -> bool | None:
    action, label = answer[0][0].lower(), question.answer
    if action in _lower_case(label["yes"]):
        return True
    if action in _lower_case(label["no"]) or action not in _lower_case(label["maybe"]):
        return False
    proof = sound_proof(question)
    return None if proof is None or action in proof.unknown else action in proof.sound["yes"]


_JUDGES: Mapping[str, Judge] = by_task(_app, _prog, _reach, _areach, _val, _just, _land, _nexta)


def is_subsequence(items: Sequence[str], of: Iterable[str]) -> bool:
    """Return whether items stand in a sequence in their order, perhaps with others between them."""
    rest = iter(of)
    return all(item in rest for item in items)


def _is_never(question: Question, item: str) -> bool | None:
    """Return whether a well-typed proposition can never hold, or an action can never become applicable."""
    proof, item = sound_proof(question), item.lower()
    return None if proof is None or item in proof.unknown else item not in proof.reachable


def _lower_case(items: Iterable[str]) -> frozenset[str]:
    return frozenset(item.lower() for item in items)
