"""Faults in the making of challenges for the suite autumn: search, support, choices, lock-step, proofs, variants."""

from tests.faults.fault import Fault

_HERE = "herobench/suites/autumn"
_MAKING = f"{_HERE}/making"
_NEAR = "suites/autumn/test_making.py"

FAULTS = (
    Fault(
        "autumn-script", f"{_HERE}/language/chance.py", "(*numbers[:-1], numbers[-1] + 1)", "(*numbers[:-1],)", _NEAR
    ),
    Fault("autumn-near-draws", f"{_MAKING}/outcomes.py", "changed[at] = other", "pass", _NEAR),
    Fault("autumn-agreeing", f"{_MAKING}/support.py", "if seen(world):", "if True:", _NEAR),
    Fault(
        "autumn-key-chance",
        f"{_MAKING}/state_key.py",
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
        f"{_MAKING}/state_key.py",
        "if key in words_of(program)]",
        "if key not in words_of(program)]",
        _NEAR,
    ),
    Fault("autumn-old-click", f"{_MAKING}/old_clicks.py", "looked or _looks(expr.left)", "True", _NEAR),
    Fault("autumn-bound", f"{_MAKING}/planning.py", "if depth and any(", "if not depth and any(", _NEAR),
    Fault("autumn-rank", f"{_MAKING}/choosing.py", "if best is None or cost < best[0]:", "if best is None:", _NEAR),
    Fault("autumn-condition", f"{_MAKING}/lock_step.py", "if seen and differs:", "if seen:", _NEAR),
    Fault(
        "autumn-impossible",
        f"{_MAKING}/lock_step.py",
        "if any(world.grid == changed.grid for world in found.worlds):",
        "if not found.worlds:",
        _NEAR,
    ),
    Fault(
        "autumn-possible",
        f"{_HERE}/proof.py",
        "if choice in support.contents:",
        "if choice not in test.choices:",
        _NEAR,
    ),
    Fault(
        "autumn-origin",
        f"{_HERE}/proof.py",
        "recording, test.mask) != choice:",
        "recording, test.mask) is None:",
        _NEAR,
    ),
    Fault("autumn-lower-bound", f"{_HERE}/proof.py", "min(bound, found.proven):", "0:", _NEAR),
    Fault(
        "autumn-transposed",
        f"{_MAKING}/transposing.py",
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
    Fault("autumn-constant", f"{_HERE}/constants.py", "if len(found) == 1 else None", "if found else None", _NEAR),
)
