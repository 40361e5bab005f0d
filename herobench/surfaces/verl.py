"""The reward function of verl: `reward.custom_reward_function.path=pkg://herobench.surfaces.verl name=compute_score`.

verl requires a score for each reply: an error of the sandbox or the suite is raised.

`FrontierRows` makes verl's dataset give tasks near the policy's horizon.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from herobench.data.errors import UsageError
from herobench.scorer import FrontierFile
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
    verdicts: str | None = None,
    **knobs: Any,
) -> dict[str, float | str]:
    """Return the reward of a reply as `score`, with its figures. The ground truth is the id of its task.

    Settings come from `reward_kwargs`, and from `herobench` in `extra_info`. `verdicts` is the path of a file for
    `FrontierRows`.
    """
    info = extra_info or {}
    settings = {name: value for name, value in knobs.items() if name not in _VERLS_OWN}
    scorer = reward_scorer(settings, info.get(COLUMN))
    result = scorer.score(ground_truth, solution_str, info.get("epoch") or 0)
    figures = result.figures()
    if verdicts:
        FrontierFile.add(verdicts, ground_truth, result.won)
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


class FrontierRows:
    """Makes a dataset of verl give tasks near the policy's horizon.

        class Near(FrontierRows, RLHFDataset):
            pass

    The setting `data.verdicts` names the file to which `compute_score` adds verdicts. Data for training must not be
    shuffled: the dataset chooses the order. Other data are read in the order that verl asks for.
    """

    config: Any
    dataframe: Any
    original_data_files: Sequence[str]

    def __init__(self, *given: Any, **named: Any) -> None:
        """Read the files of a dataset of verl. Raise UsageError for settings that a frontier cannot work with."""
        super().__init__(*given, **named)
        config = self.config
        self._drawn: list[str] = []
        """The tasks of the current batch."""
        self._file: FrontierFile | None = None
        """The file of verdicts; None for data that are not for training."""
        if [*self.original_data_files] != _paths(config.get("train_files")):
            return
        if not config.get("verdicts"):
            raise UsageError("data.verdicts is missing: name the file to which the reward function adds verdicts.")
        if config.get("shuffle", True) or config.get("dataloader_num_workers", 8):
            raise UsageError("A frontier chooses the order: set data.shuffle=False and data.dataloader_num_workers=0.")
        self._places = {model["ground_truth"]: place for place, model in enumerate(self.dataframe["reward_model"])}
        lengths: dict[str, float] = {}
        for column in {facts[COLUMN] for facts in self.dataframe["extra_info"]}:
            lengths |= reward_scorer({}, column).lengths
        lengths = {task_id: lengths[task_id] for task_id in self._places}
        self._file = FrontierFile(config.verdicts, lengths, config.get("seed") or 0)

    def __getitem__(self, item: int) -> Any:
        """Return the row of a task of the current draw. The first row of a batch begins the next draw."""
        if self._file is not None:
            size = int(self.config.train_batch_size)
            place = item % size
            if not place or not self._drawn:
                self._drawn = self._file.draw(size)
            item = self._places[self._drawn[place]]
        return super().__getitem__(item)  # type: ignore[misc]


def _paths(files: Any) -> list[str]:
    return [files] if isinstance(files, str) else [*(files or ())]
