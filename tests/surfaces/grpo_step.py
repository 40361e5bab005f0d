"""One step of GRPO with TRL on a processor: a tiny model of random weights, whose tokens are bytes.

A frontier chooses the tasks. Prints the logged figures as JSON, the failures of the completions, and what the frontier
was told.
"""

import json
from collections.abc import Sequence

import torch
from datasets import Dataset
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM
from trl import GRPOConfig, GRPOTrainer

from herobench.scorer import Frontier
from herobench.surfaces.reward import async_reward_function, reward, training_rows
from herobench.surfaces.trl import FrontierSampler, telling

CHAT = "{% for m in messages %}{{ m['role'] + ': ' + m['content'] + '\n' }}{% endfor %}assistant: "

ONE_STEP = {
    "output_dir": "out", "num_generations": 2, "max_steps": 1, "logging_steps": 1, "report_to": [], "use_cpu": True,
    "bf16": False, "gradient_checkpointing": False, "save_strategy": "no",
}  # fmt: skip
"""The settings of a single step on a processor that leaves no files."""


def bytes_tokenizer(chat: str = CHAT, eos: str = "<eos>", more: Sequence[str] = ()) -> PreTrainedTokenizerFast:
    signs = ["<pad>", eos, *sorted(pre_tokenizers.ByteLevel.alphabet())]
    made = Tokenizer(models.BPE(vocab={sign: number for number, sign in enumerate(signs)}, merges=[]))
    made.pre_tokenizer, made.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=made, pad_token="<pad>", eos_token=eos)
    tokenizer.add_special_tokens({"additional_special_tokens": [*more]})
    tokenizer.chat_template = chat
    return tokenizer


def random_model(vocabulary: int) -> Qwen2ForCausalLM:
    torch.manual_seed(0)
    sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2}
    tokens = {"pad_token_id": 0, "eos_token_id": 1, "bos_token_id": 1, "vocab_size": vocabulary}
    return Qwen2ForCausalLM(Qwen2Config(**sizes, **tokens, num_key_value_heads=2, max_position_embeddings=32_768))


def learnable(completions: list[list[dict[str, str]]], **columns: object) -> list[float]:
    """A second reward that random texts differ in, so that the step changes the weights."""
    return [sum(character.isalnum() for character in said[0]["content"]) / 10 for said in completions]


def main() -> None:
    tokenizer = bytes_tokenizer()
    model = random_model(len(tokenizer))
    before = model.lm_head.weight.detach().clone()
    rows = [row for suite in ("epoch", "rpg") for row in training_rows(suite=suite, **KNOBS[suite])]
    frontier = Frontier({row["task_id"]: number + 1 for number, row in enumerate(rows)})

    class FrontierTrainer(GRPOTrainer):
        def _get_train_sampler(self, dataset: Dataset | None = None) -> FrontierSampler:
            return FrontierSampler(super()._get_train_sampler(dataset), frontier)

    trainer = FrontierTrainer(
        model=model,
        processing_class=tokenizer,
        reward_funcs=[telling(frontier, reward), async_reward_function(figure="progress"), learnable],
        args=GRPOConfig(**ONE_STEP, per_device_train_batch_size=4, max_completion_length=16, learning_rate=0.01),
        train_dataset=Dataset.from_list(rows),
    )
    trainer.train()
    changed = bool((model.lm_head.weight != before).any())
    failures = list(trainer._logs["extra"]["failure"])
    print(
        json.dumps({**trainer.state.log_history[0], "changed": changed, "failures": failures, "told": frontier.batches})
    )


KNOBS = {"epoch": {"seed": 7, "count": 1, "length": "2"}, "rpg": {"dataset": "base", "limit": 1}}

if __name__ == "__main__":
    main()
