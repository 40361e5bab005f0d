"""Faults in the sandbox: the wire, the budget, the guards and the language."""

from tests.faults.fault import Fault

_WIRE = "herobench/sandbox/wire.py"
_BUDGET = "herobench/sandbox/budget.py"
_GUARDS = "herobench/sandbox/guards.py"

FAULTS = (
    Fault("wire-length", _WIRE, "if length > most:", "if length > most << 8:", "sandbox/test_wire.py"),
    Fault("wire-nan", _WIRE, "return math.isfinite(value)", "return True", "sandbox/test_wire.py"),
    Fault("wire-times", _WIRE, "0 < times <=", "0 <= times <=", "sandbox/test_wire.py"),
    Fault(
        "wire-defeat",
        "herobench/sandbox/scene.py",
        "if ending.how in GAME_ENDS.values():",
        "if not game:",
        "suites/rpg/game/test_defeat.py",
    ),
    Fault(
        "worker-budget",
        "herobench/sandbox/scene.py",
        "        except OverBudget:\n",
        "        except KeyError:\n",
        "suites/rpg/game/test_budget.py",
    ),
    Fault("budget-values", _BUDGET, "1 + (values >> _PER_STEP)", "1", "sandbox/test_budget.py"),
    Fault(
        "budget-actions",
        _BUDGET,
        "if self._actions < 0:",
        "if self._actions <= 0:",
        "sandbox/test_budget.py sandbox/test_play.py",
    ),
    Fault(
        "budget-output",
        _BUDGET,
        "text[: max(0, self._characters)]",
        "text",
        "sandbox/test_budget.py sandbox/test_play.py",
    ),
    Fault(
        "steps-cost",
        "herobench/sandbox/language.py",
        "self._budget.tick(step.cost)",
        "self._budget.tick()",
        "sandbox/test_steps.py",
    ),
    Fault("guards-depth", _GUARDS, "calls >= MOST_CALLS", "calls > MOST_CALLS", "sandbox/test_budget.py sandbox"),
    Fault(
        "guards-chain", _GUARDS, "error.__context__ = error.__cause__ = None", "pass", "sandbox/test_guards.py sandbox"
    ),
    Fault(
        "values-depth",
        "herobench/sandbox/values.py",
        "MOST_DEPTH = 60",
        "MOST_DEPTH = 600",
        "sandbox/test_values.py sandbox",
    ),
    Fault(
        "language-dunder",
        "herobench/sandbox/transformer.py",
        "if _DUNDER.match(name):",
        "if not name:",
        "sandbox/test_guards.py sandbox/test_language.py",
    ),
    Fault(
        "language-action",
        "herobench/sandbox/transformer.py",
        "if name in self._actions:",
        "if not name:",
        "sandbox/test_language.py",
    ),
    Fault(
        "straight-name",
        "herobench/sandbox/straight.py",
        "if loop.target.id == _RANGE or loop.target.id in actions:",
        "if loop.target.id in actions:",
        "sandbox/test_straight.py",
    ),
    Fault(
        "straight-track",
        "herobench/sandbox/pool.py",
        '"track": scene.task.mechanics.plan,',
        '"track": "program",',
        "sandbox/test_straight.py",
    ),
    Fault(
        "items-lookup",
        "herobench/sandbox/operators.py",
        "return holder[self._tables.lookup(holder, key)] if type(holder) is dict else holder[key]",
        "return holder[key]",
        "sandbox/test_items.py sandbox/test_hash_tables.py",
    ),
)
