"""Faults in the making of challenges for the suite autumn: search, support, choices, lock-step, proofs, variants."""

from tests.faults.fault import Fault

_HERE = "herobench/suites/autumn"
_MAKING = "task_gen/autumn"
_NEAR = "task_gen/autumn/test_making.py"

FAULTS = (
    Fault(
        "autumn-script", f"{_HERE}/language/chance.py", "(*numbers[:-1], numbers[-1] + 1)", "(*numbers[:-1],)", _NEAR
    ),
    Fault("autumn-near-draws", "task_gen/autumn/detection.py", "changed[at] = other", "pass", _NEAR),
    Fault("autumn-agreeing", f"{_MAKING}/support.py", "if seen(world):", "if True:", _NEAR),
    Fault(
        "autumn-key-chance",
        "task_gen/autumn/search.py",
        "told = [(name, tell(variables[name])) for name in names]",
        "told = names",
        _NEAR,
    ),
    Fault(
        "autumn-search-clicks",
        f"{_MAKING}/search.py",
        "if cell in tested or cell == beside",
        "if cell == beside",
        _NEAR,
    ),
    Fault(
        "autumn-search-keys",
        "task_gen/autumn/search.py",
        "if key in words_of(program)]",
        "if key not in words_of(program)]",
        _NEAR,
    ),
    Fault("autumn-old-click", "task_gen/autumn/search.py", "looked or _looks(expr.left)", "True", _NEAR),
    Fault("autumn-bound", f"{_MAKING}/planning.py", "if depth and any(", "if not depth and any(", _NEAR),
    Fault("autumn-rank", "task_gen/autumn/support.py", "if best is None or cost < best[0]:", "if best is None:", _NEAR),
    Fault("autumn-condition", "task_gen/autumn/detection.py", "if seen and differs:", "if seen:", _NEAR),
    Fault(
        "autumn-impossible",
        "task_gen/autumn/detection.py",
        "if any(world.grid == changed.grid for world in found.worlds):",
        "if not found.worlds:",
        _NEAR,
    ),
    Fault(
        "autumn-possible",
        "task_gen/autumn/proof.py",
        "if choice in support.contents:",
        "if choice not in test.choices:",
        _NEAR,
    ),
    Fault(
        "autumn-origin",
        "task_gen/autumn/proof.py",
        "recording, test.mask) != choice:",
        "recording, test.mask) is None:",
        _NEAR,
    ),
    Fault("autumn-lower-bound", "task_gen/autumn/proof.py", "min(bound, found.proven):", "0:", _NEAR),
    Fault(
        "autumn-transposed",
        "task_gen/autumn/variants.py",
        "parts[at], parts[at + 1] = parts[at + 1], parts[at]",
        "pass",
        _NEAR,
    ),
    Fault(
        "autumn-recolored",
        f"{_MAKING}/variants.py",
        "shows=tuple(other.get(color, color) for color in environment.shows)",
        "shows=environment.shows",
        _NEAR,
    ),
    Fault(
        "autumn-constant",
        "herobench/suites/autumn/episode/environment.py",
        "if len(found) == 1 else None",
        "if found else None",
        _NEAR,
    ),
)
