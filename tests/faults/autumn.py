"""Faults in the language Autumn: reading, scope, cells, steps, limits, copies."""

from tests.faults.fault import Fault

_HERE = "herobench/suites/autumn/language"
_NEAR = "suites/autumn task_gen/autumn"

FAULTS = (
    Fault("autumn-depth", f"{_HERE}/source.py", "if len(opened) > DEEPEST_SOURCE:", "if not opened:", _NEAR),
    Fault("autumn-column", f"{_HERE}/source.py", 'text.rfind("\\n", 0, at)', "-1", _NEAR),
    Fault(
        "autumn-callers",
        f"{_HERE}/names.py",
        "if isinstance(scope.owner, tree.Lambda) and scope.owner.given is None:",
        "if False:",
        _NEAR,
    ),
    Fault("autumn-frame", f"{_HERE}/names.py", "innermost.needs_frame = True", "pass", _NEAR),
    Fault("autumn-kept-function", f"{_HERE}/names.py", "for arg in args[1:number]", "for arg in []", _NEAR),
    Fault(
        "autumn-order",
        f"{_HERE}/expressions.py",
        'if code.kind == "int" and not early:',
        'if code.kind == "int":',
        _NEAR,
    ),
    Fault("autumn-wrap", f"{_HERE}/lists.py", "(number + _LARGEST) % (2 * _LARGEST) - _LARGEST", "number", _NEAR),
    Fault("autumn-equal", f"{_HERE}/equality.py", "return left is right\n", "return bool(left == right)\n", _NEAR),
    Fault(
        "autumn-captured", f"{_HERE}/cell_making.py", "captured[name] = value\n        for", "pass\n        for", _NEAR
    ),
    Fault("autumn-own-field", f"{_HERE}/cell_making.py", "self._outside(name) if name in plan.fields else ", "", _NEAR),
    Fault("autumn-cached", f"{_HERE}/drawing.py", "keeps = keeps and cell.pure", "pass", _NEAR),
    Fault("autumn-updated", f"{_HERE}/run.py", "self.updated.add(name)", "pass", _NEAR),
    Fault("autumn-token", f"{_HERE}/run.py", "value.token = token_of(old)", "pass", _NEAR),
    Fault("autumn-list-length", f"{_HERE}/run.py", "if items > self.limits.items:", "if False:", _NEAR),
    Fault("autumn-old-frame", f"{_HERE}/world.py", "run.set_before(dict(run.G))", "run.set_before(run.G)", _NEAR),
    Fault(
        "autumn-copy",
        f"{_HERE}/world.py",
        "variables, before = dict(self._variables)",
        "variables, before = (self._variables)",
        _NEAR,
    ),
    Fault("autumn-values", f"{_HERE}/world.py", "if self._work > _LOOK_AFTER:", "if self._work < 0:", _NEAR),
    Fault(
        "autumn-caller",
        "herobench/suites/autumn/language/world.py",
        "elif error.of_caller and len(places) > 2:",
        "elif not places:",
        _NEAR,
    ),
    Fault(
        "autumn-last-closest",
        f"{_HERE}/nearness.py",
        "if least < 0 or distance <= least:",
        "if least < 0 or distance < least:",
        _NEAR,
    ),
    Fault("autumn-hole", f"{_HERE}/motion.py", "min(reversed(places),", "min(places,", _NEAR),
)
