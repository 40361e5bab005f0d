"""HeroBench for verifiers: `vf-eval herobench-vf`. The taskset and the environment that plays it."""

from herobench_vf.environment import HeroBenchEnv
from herobench_vf.taskset import HeroBenchTaskset

__all__ = ["HeroBenchEnv", "HeroBenchTaskset"]
