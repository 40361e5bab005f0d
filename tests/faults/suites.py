"""Faults in the smaller suites."""

from tests.faults.fault import Fault

_GAME = "herobench/suites/epoch/game/game.py"
_TALLY = "herobench/suites/epoch/game/turn.py"
_RULES = "herobench/suites/epoch/game/world.py"
_ATTEMPT = "herobench/suites/epoch/attempt.py"
_NEAR = "suites/epoch conformance/test_epoch.py"

FAULTS = (
    Fault("epoch-rounds", _RULES, "if fresh and not pre & ~before:", "if fresh and not pre & ~state:", _NEAR),
    Fault("epoch-age", _GAME, "if self.clock - born > self._ttl}", "if self.clock - born >= self._ttl}", _NEAR),
    Fault("epoch-until", _GAME, "if state & self.world.until:", "if not state:", _NEAR),
    Fault(
        "epoch-refusal-ages",
        _GAME,
        "        unmet = self.world.unmet(",
        "        self.clock += 1\n        unmet = self.world.unmet(",
        _NEAR,
    ),
    Fault(
        "epoch-streak",
        _TALLY,
        "            self.recovered += 1\n            self.streak = self.misread = 0",
        "            self.recovered += 1",
        _NEAR,
    ),
    Fault("epoch-idle", _TALLY, "self.idle = 0 if new_milestones else self.idle + 1", "self.idle += 1", _NEAR),
    Fault(
        "epoch-api",
        _TALLY,
        "        self.turns += 1\n        self.api_errors_in_a_row = 0",
        "        self.turns += 1",
        _NEAR,
    ),
    Fault("epoch-window", _ATTEMPT, "maxlen=style.window", "maxlen=None", _NEAR),
    Fault(
        "epoch-signal",
        "herobench/suites/epoch/game/turn.py",
        "lines[-1] == signal.upper()",
        "lines[-1].upper() == signal.upper()",
        _NEAR,
    ),
    Fault(
        "epoch-hidden",
        "prompts/epoch/telling.py",
        "if predicate in self.level.hidden:",
        "if not predicate:",
        _NEAR,
    ),
    Fault("epoch-free-rules", "herobench/pddl/lm_cut.py", "int(action.name not in free)", "1", "task_gen/epoch pddl"),
    Fault(
        "epoch-tour-end",
        "task_gen/epoch/prover.py",
        "return 2 * len(passed) - max(",
        "return 2 * len(passed) + 0 * max(",
        "suites/epoch task_gen/epoch",
    ),
    Fault(
        "epoch-tour-fetch",
        "task_gen/epoch/prover.py",
        "if bit & state and place in walk.places",
        "if place in walk.places",
        "suites/epoch task_gen/epoch",
    ),
    Fault("epoch-settled", "herobench/pddl/search.py", "new = stand_in(new)", "pass", "suites/epoch task_gen/epoch"),
)
