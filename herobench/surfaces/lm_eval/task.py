"""The class behind the YAML files. A class can send the messages of a suite as they are, examples included."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from datasets import Dataset
from lm_eval.api.task import ConfigurableTask

from herobench.data.errors import UsageError
from herobench.models.messages import chat_messages
from herobench.scorer import Scorer, TaskQuery, shared_scorer
from herobench.surfaces.sessions import as_text


class HeroBenchTask(ConfigurableTask):  # type: ignore[misc, unused-ignore]
    """Tasks of a suite: one prompt and one reply each."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        """Read the configuration of the file."""
        # Without this entry, lm-eval takes the metrics for its own, and looks for them on a hub.
        own = {"process_results": type(self).process_results}
        super().__init__(config={**{name: value for name, value in config.items() if name != "class"}, **own})

    def download(self, dataset_kwargs: Mapping[str, Any] | None = None, **others: Any) -> None:
        """Open the suite. Nothing is downloaded. Raise UsageError for a wrong knob, or an entry beside `knobs`."""
        entries = dict(dataset_kwargs or {})
        knobs = entries.pop("knobs", None)
        if entries or not isinstance(knobs, Mapping):
            raise UsageError("dataset_kwargs of a task has `knobs`, a mapping, and nothing else.")
        self._scorer: Scorer = shared_scorer(TaskQuery(**knobs).one_turn())
        self.dataset = {"test": Dataset.from_list([self._row(task_id) for task_id in self._scorer.tasks])}

    def fewshot_context(
        self,
        doc: Mapping[str, Any],
        num_fewshot: int,
        system_instruction: str | None = None,
        apply_chat_template: bool = False,
        fewshot_as_multiturn: bool = False,
        chat_template: Callable[..., str] | None = None,
        gen_prefix: str | None = None,
    ) -> str:
        """Return the messages of the suite. Raise UsageError if examples are requested, since the suite has its own."""
        if num_fewshot or gen_prefix:
            raise UsageError(
                "The suites have examples and beginnings of their own: leave out num_fewshot and gen_prefix."
            )
        if not apply_chat_template or chat_template is None:
            return "\n\n".join(filter(None, (system_instruction, doc["prompt"])))
        system = [{"role": "system", "content": system_instruction}] if system_instruction else []
        return chat_template([*system, *json.loads(doc["messages"])], add_generation_prompt=True)

    def process_results(self, doc: dict[str, Any], results: Sequence[str]) -> dict[str, float]:
        """Return the figures of a reply. The logged document gets the cause of failure."""
        result = self._scorer.score(doc["id"], results[0])
        doc["failure"] = result.failure
        return result.figures()

    def _row(self, task_id: str) -> dict[str, Any]:
        messages = self._scorer.opening(task_id)
        return {
            "id": task_id,
            "group": self._scorer.tasks[task_id].group or "",
            "prompt": as_text(messages),
            "messages": json.dumps(chat_messages(messages)),
            "failure": "",
        }
