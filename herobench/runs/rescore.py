"""A run's answers scored again, without a model: after a rule or a way of scoring changed, or under other rules.

Everything that a score says is made anew; everything that belongs to the asking stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

from herobench.ahead import in_order
from herobench.conversation import Reply, Usage
from herobench.errors import StoreError
from herobench.runs.folder import RunFolder
from herobench.runs.provenance import now, session_row
from herobench.runs.sample import with_scores
from herobench.runs.suite import Suite

Sample = Mapping[str, Any]


class Rescoring:
    """Scores the samples of a folder, and counts how many come out otherwise. `watch` sees each."""

    def __init__(self, folder: RunFolder, suite: Suite, jobs: int, watch: Callable[[Sample], None]) -> None:
        self.changed = 0
        self._folder = folder
        self._suite = suite
        self._jobs = jobs
        self._watch = watch

    def rows(self) -> Generator[Sample]:
        """The samples with new scores, in their order. Close it where it is not used up."""
        with ThreadPoolExecutor(self._jobs) as pool:
            for before, after in in_order(pool, self._jobs, self._again, self._folder.read_samples()):
                self.changed += _verdict(before) != _verdict(after)
                self._watch(after)
                yield after

    def replace(self, argv: Sequence[str]) -> None:
        """Put the new scores in the place of the old ones, and note in run.json that it was done."""
        manifest = self._folder.read_manifest()
        session = session_row(argv, manifest["conduct"]["key_name"], self._suite.confinement)
        try:
            with closing(self.rows()) as rows:
                self._folder.replace_samples(rows)
            if manifest["totals"]:
                manifest["totals"]["wins"] = sum(row["outcome"] == "win" for row in self._folder.read_samples())
            manifest["sessions"].append(session | {"finished": now(), "ended": "scored"})
            self._folder.write_manifest(manifest)
        except OSError as error:
            raise StoreError(self._folder.path, error) from error

    def _again(self, sample: Sample) -> tuple[Sample, Sample]:
        key = sample["task_id"], sample["epoch"]
        if sample["status"] != "ok":
            return sample, with_scores(sample, self._suite.blank(*key))
        reply = Reply(sample["answer"], sample["plan"], usage=Usage(output=sample["tokens"]))
        return sample, with_scores(sample, self._suite.grade(*key, reply))


def _verdict(sample: Sample) -> tuple[object, object]:
    return sample["outcome"], sample["score"]
