"""Faults in the phases, the telling and the figures of the suite autumn."""

from tests.faults.fault import Fault

_HERE = "herobench/suites/autumn"
_NEAR = "suites/autumn/test_episode.py suites/autumn/test_attempt.py suites/autumn/test_players.py"
_PAGE = "suites/autumn/test_page.py"

FAULTS = (
    Fault(
        "worlds-limit", f"{_HERE}/interaction.py", "self.over = self.steps >= self._most", "self.over = False", _NEAR
    ),
    Fault("worlds-stack", f"{_HERE}/interaction.py", "_MOST_STILLS) - 1)", "_MOST_STILLS))", _NEAR),
    Fault("worlds-wrong", f"{_HERE}/prediction.py", "1.0 if right else -1.0", "1.0 if right else 0.0", _NEAR),
    Fault("worlds-masked", f"{_HERE}/prediction.py", "if number >= self.asked.mask.since", "if number > 10**9", _NEAR),
    Fault("worlds-reset", f"{_HERE}/planning.py", "if action == RESET:", "if False:", _NEAR),
    Fault("worlds-frame", f"{_HERE}/detection.py", "frame < trigger - 1:", "frame < trigger:", _NEAR),
    Fault("worlds-late", f"{_HERE}/detection.py", "late * exp(-late)", "exp(-late)", _NEAR),
    Fault(
        "worlds-seen",
        f"{_HERE}/detection.py",
        "            self._look()\n            self.ann",
        "            self.ann",
        _NEAR,
    ),
    Fault("worlds-unchosen", f"{_HERE}/detection.py", "if self.chosen is None:", "if self.chosen == -1:", _NEAR),
    Fault("worlds-total", f"{_HERE}/episode.py", "self.turns >= self.total", "self.turns > self.total", _NEAR),
    Fault("worlds-run", f"{_HERE}/film.py", "yield after[start:number]", "yield after[start]", _NEAR),
    Fault("worlds-told", f"{_HERE}/page/view.py", 'style.disclosure == "told" or', "True or", _PAGE),
    Fault("worlds-idle", f"{_HERE}/page/view.py", "state_key(world) != state_key(after)", "True", _PAGE),
    Fault("worlds-twice", f"{_HERE}/page/seat.py", "and self._question.number == number", "", _PAGE),
    Fault("worlds-stranger", f"{_HERE}/page/server.py", "acts or origin is not None", "False", _PAGE),
    Fault("worlds-window", f"{_HERE}/attempt.py", "maxlen=style.window", "maxlen=None", _NEAR),
    Fault("worlds-pinned", f"{_HERE}/attempt.py", "self._since_test >= self._style.window", "False", _NEAR),
    Fault("worlds-tag", f"{_HERE}/reply_text.py", "start = text.rfind(", "start = text.find(", _NEAR),
    Fault("worlds-distinct", f"{_HERE}/census.py", "distinct = set(actions)", "distinct = list(actions)", _NEAR),
    Fault(
        "worlds-focus", f"{_HERE}/perplexity.py", "(perplexity - 1) / (distinct - 1)", "perplexity / distinct", _NEAR
    ),
    Fault(
        "worlds-clusters",
        "analysis/suites/autumn/figures.py",
        "mean_of_means(samples[ENVIRONMENT]",
        "mean_of_means(samples.task_id",
        "analysis/suites/test_autumn_reading.py",
    ),
)
