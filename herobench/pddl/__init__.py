"""Planning tasks in PDDL: reads, grounds and searches them. In pure Python, without files.

    task = read_task(domain_text, problem_text)
    grounded = ground(task)
    for action in grounded.applicable(grounded.initial):
        state = grounded.progress(grounded.initial, action)

Every suite that plans in PDDL uses this package. It knows nothing of any suite.
"""

from herobench.pddl.grounded import Grounded, ground
from herobench.pddl.limits import SearchLimits
from herobench.pddl.parser import parse_domain, parse_problem, read_task
from herobench.pddl.syntax import PddlError, TooLarge
from herobench.pddl.task import AnyOf, Atom, Domain, GroundAction, PddlProblem, PddlTask, Schema, Simulation, Unequal

__all__ = [
    "AnyOf",
    "Atom",
    "Domain",
    "GroundAction",
    "Grounded",
    "PddlError",
    "PddlProblem",
    "PddlTask",
    "Schema",
    "SearchLimits",
    "Simulation",
    "TooLarge",
    "Unequal",
    "ground",
    "parse_domain",
    "parse_problem",
    "read_task",
]
