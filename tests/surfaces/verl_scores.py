"""Scores answers by verl's own reward manager, which finds our function by its configuration. Tokens are bytes.

python verl_scores.py KNOBS ANSWERS: both JSON, with the answers by task. It prints a result for each row, as JSON.
"""

import asyncio
import json
import sys

import numpy
import torch
from hydra import compose, initialize_config_module
from verl import DataProto
from verl.trainer.ppo.reward import get_custom_reward_fn, resolve_reward_manager_cls

from herobench.surfaces.verl import training_rows

FUNCTION = "reward.custom_reward_function"
SETTINGS = (
    f"{FUNCTION}.path=pkg://herobench.surfaces.verl",
    f"{FUNCTION}.name=compute_score",
    f"+{FUNCTION}.reward_kwargs.jobs=1",
)
FIELDS = ("data_source", "reward_model", "extra_info")


class Bytes:
    """A tokenizer."""

    def decode(self, ids: torch.Tensor, skip_special_tokens: bool) -> str:
        return bytes(ids.tolist()).decode()


async def main(knobs: str, answers: str) -> None:
    with initialize_config_module("verl.trainer.config", version_base=None):
        config = compose("ppo_trainer", [*SETTINGS])
    manager = resolve_reward_manager_cls(config)(config, Bytes(), get_custom_reward_fn(config))
    said = json.loads(answers)
    for row in training_rows(**json.loads(knobs)):
        ids = torch.tensor([[*said[row["reward_model"]["ground_truth"]].encode()]])
        others = {name: numpy.array([row[name]], dtype=object) for name in FIELDS}
        data = DataProto.from_dict({"responses": ids, "attention_mask": torch.ones_like(ids)}, non_tensors=others)
        print(json.dumps(await manager.run_single(data)))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
