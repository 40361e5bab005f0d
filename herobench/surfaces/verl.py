"""The reward function of verl: `reward.custom_reward_function.path=pkg://herobench.surfaces.verl name=compute_score`.

verl requires a score for each reply: an error of the sandbox or the suite is raised.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from herobench.surfaces.reward import COLUMN, checked_figure, list_prompts, reward_scorer

_VERLS_OWN = ("reward_router_address", "reward_model_tokenizer")
"""Arguments that verl passes besides `reward_kwargs`, for reward models."""


def compute_score(
    data_source: str,
    solution_str: str,
    ground_truth: str,
    extra_info: Mapping[str, Any] | None = None,
    *,
    figure: str = "score",
    **knobs: Any,
) -> dict[str, float | str]:
    """Return the reward of a reply as `score`, with its figures. The ground truth is the id of its task.

    Settings come from `reward_kwargs`, and from `herobench` in `extra_info`.
    """
    info = extra_info or {}
    settings = {name: value for name, value in knobs.items() if name not in _VERLS_OWN}
    scorer = reward_scorer(settings, info.get(COLUMN))
    result = scorer.score(ground_truth, solution_str, info.get("epoch") or 0)
    figures = result.figures()
    return {
        "score": figures[checked_figure(figure)],
        "acc": figures["win"],
        "progress": figures["progress"],
        "failure": result.failure or "",  # verl averages all values that are not texts
    }


def training_rows(**knobs: Any) -> Iterator[dict[str, Any]]:
    """Yield the rows of a Parquet file for verl."""
    for task_id, prompt, facts in list_prompts(knobs):
        yield {
            "data_source": f"herobench/{reward_scorer(knobs).suite}",
            "prompt": prompt,
            "ability": "planning",
            "reward_model": {"style": "rule", "ground_truth": task_id},
            "extra_info": facts,
        }
