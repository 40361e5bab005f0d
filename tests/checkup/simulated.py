"""The index of a page on simulated models, each with a horizon in three lanes, so that no run is needed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from herobench.analysis.reading.checked import load_reading
from herobench.checkup.figures import horizon_trials, ratio_row, sample_horizon

JOURNEYS, LANES = load_reading("journey"), {"plan": 1.0, "fights": 1.5, "steps": 4.0}
KINDS = ("app", "prog", "reach", "areach", "val", "just", "land", "nexta")


def samples(horizon: float, seed: int) -> pd.DataFrame:
    """Samples of a model whose log-odds fall by 1 with each doubling of the length."""
    lengths = np.geomspace(2, 1000, 120)
    won = np.random.default_rng(seed).random(120) < 1 / (1 + (lengths / horizon) ** 1.44)
    return pd.DataFrame({"task_id": [f"t{n}" for n in range(120)], "regions": lengths, "win": won.astype(float)})


def rate(share: float, name: str = "") -> dict[str, Any]:
    return {"name": name, "rate": share, "low": max(0.0, share - 0.2), "high": min(1.0, share + 0.2), "count": 25}


def model(name: str, horizon: float) -> dict[str, Any]:
    lanes = {lane: sample_horizon(samples(horizon * factor, 1), JOURNEYS) for lane, factor in LANES.items()}
    card = {"measures": "something", "report": None, "remarks": {"resets": "0.12"}, "groups": [], "exploration": []}
    levels = [rate(0.9, "4-7"), rate(0.5, "8-15"), rate(0.2, "16-31"), rate(0.0, "32-63")]
    families = [rate(0.4, "detection"), rate(0.3, "planning"), rate(0.5, "prediction")]
    explored = [{"name": "interaction steps", "estimate": 42.0, "low": 30.0, "high": 55.0}]
    parts = [
        {
            **card,
            "name": "journeys",
            "card": "horizon",
            "title": "Journeys",
            "success": rate(0.5),
            "report": "reports/journeys.html",
        },
        {**card, "name": "questions", "card": "atoms", "title": "Planning questions", "success": rate(0.6)},
        {**card, "name": "epochs", "card": "groups", "title": "Epochs", "success": rate(0.4), "groups": levels},
        {
            **card,
            "name": "autumn",
            "card": "groups",
            "title": "Autumn",
            "success": rate(0.4),
            "groups": families,
            "exploration": explored,
        },
    ]
    totals = {
        "part": "Journeys", "run": "plan", "attempts": 120, "unmeasured": 1, "cut_off": {"attempts": 2, "of": 119},
        "success": rate(0.5), "input_tokens": 1e6, "output_tokens": 2e5, "cost": 3.2, "seconds": 90.0,
    }  # fmt: skip
    told = {"run": "journeys/plan", "tasks": "horizon-v4 fresh (seed 7)", "count": 120, "version": "0.1.0"}
    return {
        "name": name,
        "model": name,
        "seed": 7,
        "horizon": lanes["plan"],
        "loss": {"lost": 60, "causes": [{"name": "slower", "count": 40, "words": "The plan takes too long."}]},
        "figures": {"decisions between mistakes": "31 (24 to 43)", "time lost": "2.1 %"},
        "lanes": {"horizons": lanes, "costs": [{"more": "steps", "less": "plan", "words": "2.0 doublings"}]},
        "parts": parts,
        "totals": [totals],
        "replays": [
            {"why": "Journeys: the longest win", "task": "t9", "link": "reports/journeys.html#sample/plan/t9/0"}
        ],
        "runs": [{**told, "finished": "2026-01-01T00:00:00Z", "fingerprint": f"1-{'0' * 64}"}],
    }


def index(horizons: Sequence[float]) -> dict[str, Any]:
    """The index of a page on a model for each horizon."""
    names = [f"model {number}" for number, _ in enumerate(horizons, 1)]
    models = [model(name, horizon) for name, horizon in zip(names, horizons, strict=True)]
    profiles = {"Planning questions": [[kind, rate(0.2 + 0.08 * place)] for place, kind in enumerate(KINDS)]}
    lanes = models[0]["lanes"]["horizons"] if len(models) == 1 else {}
    runs = [{"name": lane, "figures": {"horizon": told}, "profiles": {}} for lane, told in lanes.items()]
    runs += [
        {"name": one["name"], "figures": {"horizon": None if lanes else one["horizon"]}, "profiles": profiles}
        for one in models
    ]
    for name, share in (("chance", 0.1), ("oracle", 1.0)):
        marks = {title: [[kind, rate(share)] for kind in KINDS] for title in profiles}
        runs.append({"name": name, "figures": {"horizon": None}, "profiles": marks})
    trials = [horizon_trials(samples(horizon, 1), JOURNEYS) for horizon in horizons]
    ratios = [ratio_row("model 1", trials[0], "model 2", trials[1])] if len(models) > 1 else []
    return {
        "schema": 1,
        "words": {},
        "length": "regions",
        "unit": "regions",
        "profiled": "Atoms of planning",
        "models": models,
        "runs": runs,
        "ratios": ratios,
    }
