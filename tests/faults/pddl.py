"""Faults in the planning engine: reading, grounding, simulation and search."""

from tests.faults.fault import Fault

_PARSER = "herobench/pddl/domain_parser.py"
_SIMULATION = "herobench/pddl/simulation.py"
_JOIN = "herobench/pddl/relation.py"
_SEARCH = "herobench/pddl/search.py"

FAULTS = (
    Fault("pddl-depth", "herobench/pddl/syntax.py", "if len(opened) > DEEPEST + 1:", "if not opened:", "pddl"),
    Fault("pddl-column", "herobench/pddl/syntax.py", 'self.text.rfind("\\n", 0, offset)', "0", "pddl"),
    Fault("pddl-types", _PARSER, "if not domain.is_subtype(types[arg], parameter.type):", "if False:", "pddl"),
    Fault("pddl-static-or", _PARSER, "if atom.name in self.domain.fluents:", "if not atom.name:", "pddl"),
    Fault("pddl-unequal", _SIMULATION, "condition.left != condition.right", "True", "pddl"),
    Fault("pddl-join-unequal", _JOIN, "left(row) != right(row)", "True", "pddl"),
    Fault("pddl-join-same", _JOIN, "same.append((new[arg], place))", "pass", "pddl"),
    Fault("pddl-join-type", _JOIN, "if not task.domain.is_subtype(parameter.type, kind):", "if not kind:", "pddl"),
    Fault("pddl-mutex", "herobench/pddl/search.py", "common & ~action.delete | action.add", "action.add", "pddl"),
    Fault("pddl-bound", _SEARCH, "if distance + value <= most:", "if distance + value < most:", "pddl"),
    Fault("pddl-unknown", _SEARCH, "if self.proven else None", "", "pddl"),
    Fault(
        "pddl-landmark",
        "herobench/pddl/search.py",
        "while rest := asked & ~needed & ~avoidable & ~unknown:",
        "while rest := 0:",
        "pddl",
    ),
    Fault(
        "pddl-never",
        "herobench/pddl/reachability.py",
        "for goal in self.open if not mutexes.allows(goal)",
        "for goal in self.open",
        "pddl",
    ),
)
