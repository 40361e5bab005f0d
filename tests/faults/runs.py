"""Faults in how runs ask, keep, count and stop."""

from tests.faults.fault import Fault

_JOURNAL = "herobench/runs/journal.py"
_ASKING = "herobench/runs/asking.py"
_LEDGER = "herobench/runs/limits.py"

FAULTS = (
    Fault("journal-sync", _JOURNAL, "os.fsync(self._file)", "pass", "runs/test_journal.py runs/test_journal_full.py"),
    Fault("journal-torn", _JOURNAL, 'if not line.endswith(b"\\n"):', "if not line:", "runs/test_journal.py"),
    Fault(
        "journal-repair",
        _JOURNAL,
        "os.ftruncate(self._file, self._end)\n        self._batch:",
        "self._batch:",
        "runs/test_journal.py",
    ),
    Fault(
        "journal-goes-on",
        _JOURNAL,
        "if self._batch is batch and self._failure is None:",
        "if self._batch is batch:",
        "runs/test_journal.py runs/test_journal_full.py cli/test_run_disk.py",
    ),
    Fault("asking-kept", _ASKING, ' and before["request"] == sent.digest(before["schema"])', "", "runs/test_asking.py"),
    Fault(
        "asking-cached",
        _ASKING,
        "0.0 if reply.from_cache else ",
        "",
        "runs/test_asking.py models/test_reply_cache.py cli",
    ),
    Fault(
        "asking-stopped",
        _ASKING,
        "line.stop.check()\n            line.standing.in_flight += 1",
        "line.standing.in_flight += 1",
        "runs",
    ),
    Fault(
        "asking-failure-lost",
        _ASKING,
        'await self._keep(row | {"reply": None, "error": error.as_row(), "cost": None}, spent)\n',
        "pass\n",
        "runs/test_asking.py runs",
    ),
    Fault(
        "asking-outgrown",
        _ASKING,
        "error.kind is ErrorKind.CONTEXT and self._replies",
        "error.kind is ErrorKind.CONTEXT",
        "runs/test_attempt_limits.py",
    ),
    Fault("asking-cost", _ASKING, "self._cost += ledger", "ledger", "runs/test_attempt_limits.py"),
    Fault("ledger-flight", _LEDGER, "(self._in_flight + 1)", "self._in_flight", "runs/test_ledger.py"),
    Fault(
        "runner-hopeless",
        "herobench/runs/runner.py",
        "0 if alike is None else self._failed_alike + 1 if alike == self._alike else 1",
        "self._failed_alike + 1",
        "runs/test_runner.py",
    ),
    Fault(
        "session-owed",
        "herobench/runs/session.py",
        "if (task_id, epoch) not in done",
        "if (task_id, 0) not in done",
        "runs cli/test_run_resume.py",
    ),
    Fault(
        "session-scorer",
        "herobench/runs/judge.py",
        "if its != self._own:",
        "if its == self._own:",
        "cli/test_run_old_release.py",
    ),
    Fault(
        "window-once-a-round",
        "herobench/models/pace.py",
        "and shrinks == self._shrinks:",
        "and shrinks <= self._shrinks:",
        "models/test_window.py",
    ),
    Fault(
        "fingerprint-order",
        "herobench/runs/fingerprint.py",
        "rows = sorted(map(_canonical, read_journal(folder.tasks)))",
        "rows = list(map(_canonical, read_journal(folder.tasks)))",
        "cli/test_fingerprint.py",
    ),
    Fault(
        "session-unmeasured",
        "herobench/runs/session.py",
        "folder.drop_unmeasured()",
        "pass",
        "cli/test_run_resume.py cli/test_run_faults.py cli",
    ),
    Fault(
        "sample-cost",
        "herobench/runs/sample.py",
        '(self.cost or 0.0) + call["cost"]',
        'call["cost"]',
        "runs/test_sample.py",
    ),
    Fault(
        "folder-lock",
        "herobench/runs/folder.py",
        "fcntl.LOCK_EX | fcntl.LOCK_NB",
        "fcntl.LOCK_SH | fcntl.LOCK_NB",
        "runs/test_folder.py",
    ),
)
