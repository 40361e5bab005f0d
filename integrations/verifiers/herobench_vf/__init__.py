"""HeroBench for verifiers: `vf-eval herobench-vf`. The taskset, the environment that plays it, and its harness."""

__all__ = ["HeroBenchEnv", "HeroBenchHarness", "HeroBenchTaskset"]

# the environment names the harness, which verifiers then looks for in `__all__` of this module
from herobench_vf.harness import HeroBenchHarness  # isort: skip
from herobench_vf.environment import HeroBenchEnv
from herobench_vf.taskset import HeroBenchTaskset
