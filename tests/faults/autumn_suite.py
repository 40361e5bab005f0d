"""Faults in the phases, the telling and the figures of the suite autumn."""

from tests.faults.fault import Fault

_HERE = "herobench/suites/autumn"
_NEAR = "suites/autumn/test_episode.py suites/autumn/test_attempt.py suites/autumn/test_players.py"
_PAGE = "suites/autumn/test_page.py"

FAULTS = (
    Fault(
        "worlds-limit",
        "herobench/suites/autumn/episode/interaction.py",
        "self.over = self.steps >= self._most",
        "self.over = False",
        _NEAR,
    ),
    Fault(
        "worlds-stack", "herobench/suites/autumn/episode/interaction.py", "_MOST_STILLS) - 1)", "_MOST_STILLS))", _NEAR
    ),
    Fault(
        "worlds-wrong",
        "herobench/suites/autumn/episode/tests.py",
        "1.0 if right else -1.0",
        "1.0 if right else 0.0",
        _NEAR,
    ),
    Fault(
        "worlds-masked",
        "herobench/suites/autumn/episode/tests.py",
        "if number >= self.asked.mask.since",
        "if number > 10**9",
        _NEAR,
    ),
    Fault(
        "worlds-reset",
        "herobench/suites/autumn/episode/tests.py",
        "return None\n        if action == RESET:",
        "return None\n        if False:",
        _NEAR,
    ),
    Fault(
        "worlds-frame", "herobench/suites/autumn/episode/tests.py", "frame < trigger - 1:", "frame < trigger:", _NEAR
    ),
    Fault("worlds-late", "herobench/suites/autumn/episode/tests.py", "late * exp(-late)", "exp(-late)", _NEAR),
    Fault(
        "worlds-seen",
        "herobench/suites/autumn/episode/tests.py",
        "            self._look()\n            self.ann",
        "            self.ann",
        _NEAR,
    ),
    Fault(
        "worlds-unchosen",
        "herobench/suites/autumn/episode/tests.py",
        "if self.chosen is None:",
        "if self.chosen == -1:",
        _NEAR,
    ),
    Fault(
        "worlds-total",
        "herobench/suites/autumn/episode/episode.py",
        "self.turns >= self.total",
        "self.turns > self.total",
        _NEAR,
    ),
    Fault(
        "worlds-run",
        "herobench/suites/autumn/episode/episode.py",
        "yield after[start:number]",
        "yield after[start]",
        _NEAR,
    ),
    Fault("worlds-told", "herobench/suites/autumn/page/attempt.py", 'style.disclosure == "told" or', "True or", _PAGE),
    Fault(
        "worlds-idle", "herobench/suites/autumn/page/attempt.py", "state_key(world) != state_key(after)", "True", _PAGE
    ),
    Fault("worlds-twice", f"{_HERE}/page/seat.py", "and self._question.number == number", "", _PAGE),
    Fault("worlds-stranger", f"{_HERE}/page/server.py", "acts or origin is not None", "False", _PAGE),
    Fault("worlds-window", f"{_HERE}/attempt.py", "maxlen=style.window", "maxlen=None", _NEAR),
    Fault("worlds-pinned", f"{_HERE}/attempt.py", "self._since_test >= self._style.window", "False", _NEAR),
    Fault(
        "worlds-tag",
        "herobench/suites/autumn/episode/tool_calls.py",
        "start = text.rfind(",
        "start = text.find(",
        _NEAR,
    ),
    Fault(
        "worlds-distinct",
        "herobench/suites/autumn/episode/figures.py",
        "distinct = set(actions)",
        "distinct = list(actions)",
        _NEAR,
    ),
    Fault(
        "worlds-focus",
        "herobench/suites/autumn/episode/figures.py",
        "(perplexity - 1) / (distinct - 1)",
        "perplexity / distinct",
        _NEAR,
    ),
    Fault(
        "worlds-clusters",
        "analysis/suites/autumn/figures.py",
        "mean_of_means(samples[ENVIRONMENT]",
        "mean_of_means(samples.task_id",
        "analysis/suites/autumn/test_autumn_reading.py",
    ),
)
