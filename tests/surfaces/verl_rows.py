"""Draws rows near a policy's horizon with verl's own dataset and loader, and scores replies as its workers do.

The policy wins what is no longer than 30 decisions. Prints the lengths of each draw, and those of a validation.
"""

import json
from pathlib import Path

from datasets import Dataset
from omegaconf import OmegaConf
from torch.utils.data import DataLoader
from verl.trainer.ppo.utils import create_rl_dataset, create_rl_sampler
from verl.utils.dataset.rl_dataset import collate_fn

from herobench.scorer import Scorer, TaskQuery
from herobench.surfaces.verl import compute_score, training_rows

KNOBS = {"dataset": "base", "shuffle": 1, "limit": 48}
COLUMNS = ("data_source", "reward_model", "extra_info")
NEAR = """
from herobench.surfaces.verl import FrontierRows
from verl.utils.dataset.rl_dataset import RLHFDataset


class Near(FrontierRows, RLHFDataset):
    pass
"""


def main() -> None:
    Path("near.py").write_text(NEAR)
    rows = list(training_rows(**KNOBS))
    Dataset.from_list(rows).to_parquet("train.parquet")
    Dataset.from_list(rows[:4]).to_parquet("test.parquet")
    config = OmegaConf.create(
        {
            "train_files": "train.parquet", "val_files": "test.parquet", "train_batch_size": 4, "shuffle": False,
            "dataloader_num_workers": 0, "filter_overlong_prompts": False, "verdicts": "verdicts.jsonl",
            "custom_cls": {"path": "near.py", "name": "Near"}, "cache_dir": "cache",
        }
    )  # fmt: skip
    dataset = create_rl_dataset(config.train_files, config, None, None, is_train=True)
    sampler = create_rl_sampler(config, dataset)
    loader = DataLoader(dataset, config.train_batch_size, sampler=sampler, drop_last=True, collate_fn=collate_fn)
    drawn = []
    with Scorer(TaskQuery(**KNOBS)) as scorer:
        lengths = scorer.lengths
        for _ in range(3):
            for batch in loader:
                drawn.append([lengths[model["ground_truth"]] for model in batch["reward_model"]])
                for source, model, facts in zip(*map(batch.get, COLUMNS), strict=True):
                    task_id = model["ground_truth"]
                    reply = scorer.solution(task_id)[0] if lengths[task_id] <= 30 else "no idea"
                    compute_score(source, reply, task_id, facts, verdicts="verdicts.jsonl")
        seen = create_rl_dataset(config.val_files, config, None, None, is_train=False)
        validated = [seen[place]["reward_model"]["ground_truth"] for place in range(len(seen))]
    print(
        json.dumps(
            {"drawn": drawn, "validated": validated == [row["reward_model"]["ground_truth"] for row in rows[:4]]}
        )
    )


if __name__ == "__main__":
    main()
