"""One step of GRPO with TRL in our environment, by a model of random weights whose words are given to it.

Half of the attempts play as the oracle does, the others give up. Prints the logged figures, what turns were paid, and
what copies of an attempt are paid.
"""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import torch
import trl
from datasets import Dataset
from grpo_step import ONE_STEP, bytes_tokenizer, random_model
from trl import GRPOConfig, GRPOTrainer

from herobench.scorer import Scorer, TaskQuery
from herobench.surfaces.reward import training_rows
from herobench.surfaces.trl import HeroBench, fork

KNOBS = {"suite": "epoch", "dataset": "epochs-v1", "levels": "3", "mode": "tools"}
PREFIX = -3
START, END = "<|im_start|>", "<|im_end|>"
CHAT = (Path(trl.__file__).parent / "chat_templates" / "qwen3.jinja").read_text("utf-8")
STUCK = {"name": "stuck", "arguments": {}}
turn_rewards: list[Any] = []


def paid_turns(environments: list[HeroBench], **columns: object) -> list[float]:
    """Note what turns were paid: TRL hands environments to reward functions."""
    turn_rewards.extend(environment.turn_rewards for environment in environments)
    return [0.0] * len(environments)


class Words:
    """Says the turns in place of the model."""

    def __init__(self, tokenizer: Any) -> None:
        with Scorer(TaskQuery(**KNOBS)) as scorer:
            calls = [reply.tool_calls[0] for reply in scorer.way("L03")[PREFIX:]]
        self.turns = [{"name": call.name, "arguments": json.loads(call.arguments)} for call in calls]
        self.tokenizer = tokenizer

    def __call__(self, input_ids: torch.Tensor, **_: object) -> torch.Tensor:
        said = [self.tokenizer.encode(word + END) for word in self.words(self.tokenizer.batch_decode(input_ids))]
        longest = max(map(len, said))
        padded = [[*ids, *[self.tokenizer.pad_token_id] * (longest - len(ids))] for ids in said]
        return torch.cat([input_ids, torch.tensor(padded)], dim=1)

    def words(self, prompts: list[str]) -> Iterator[str]:
        for number, prompt in enumerate(prompts):
            done = prompt.count("<tool_response>")
            turns = [STUCK] if done == 0 and number % 2 else self.turns
            if "The attempt is over." in prompt:
                yield "Done."
            else:
                call = {"name": "act", "arguments": {"turn": json.dumps(turns[done])}}
                yield f"<tool_call>\n{json.dumps(call)}\n</tool_call>"


def long_texts(row: dict[str, Any]) -> set[str]:
    """Return the lines and descriptions of a prompt: as one token each, they take little time."""
    told = [message["content"] for message in row["prompt"]] + [HeroBench().reset(**row)]
    return {line for text in told for line in text.splitlines() if len(line) > 30}


def copies_paid(row: dict[str, Any], turns: list[dict[str, Any]]) -> list[float | None]:
    """Return what two copies of an attempt, and the attempt itself, are paid when each goes on to the end."""
    attempt = HeroBench(reward="potential")
    attempt.reset(**row)
    attempt.act(json.dumps(turns[0]))
    attempts = [fork(attempt), fork(attempt), attempt]
    for one in attempts:
        for turn in turns[1:]:
            one.act(json.dumps(turn))
    return [one.get_reward() for one in attempts]


def main() -> None:
    rows = [{**row, "prefix": PREFIX} for row in training_rows(**KNOBS)]
    tokenizer = bytes_tokenizer(CHAT, END, [START, *sorted(set().union(*map(long_texts, rows)))])
    model = random_model(len(tokenizer))
    model.generate = words = Words(tokenizer)
    trainer = GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        reward_funcs=[paid_turns],
        environment_factory=partial(HeroBench, reward="potential"),
        args=GRPOConfig(**ONE_STEP, per_device_train_batch_size=2, max_completion_length=4_096),
        train_dataset=Dataset.from_list(rows),
    )
    trainer.train()
    copies = copies_paid(rows[0], words.turns)
    print(json.dumps({**trainer.state.log_history[0], "turn_rewards": turn_rewards, "copies": copies}))


if __name__ == "__main__":
    main()
