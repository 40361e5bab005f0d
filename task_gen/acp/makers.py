"""The makers of instances: one for each domain of ACPBench Hard, in code of our own.

A maker draws a problem of a wanted size. The sizes are those of the published instances.
"""

from collections.abc import Mapping
from types import MappingProxyType

from herobench.task_gen.acp.alfred import ALFRED
from herobench.task_gen.acp.carrying import BLOCKS, DEPOTS, FERRY, GRIPPER, LOGISTICS, SWAP
from herobench.task_gen.acp.maker import Maker
from herobench.task_gen.acp.missions import ROVER, SATELLITE
from herobench.task_gen.acp.moving import FLOOR_TILE, GOLD_MINER, GRID, VISIT_ALL

__all__ = ["MAKERS", "Maker"]

MAKERS: Mapping[str, Maker] = MappingProxyType(
    {
        "ferry": FERRY,
        "logistics-strips": LOGISTICS,
        "blocksworld-4ops": BLOCKS,
        "grid": GRID,
        "floor-tile": FLOOR_TILE,
        "gripper-strips": GRIPPER,
        "rover": ROVER,
        "grid-visit-all": VISIT_ALL,
        "depots": DEPOTS,
        "gold-miner-typed": GOLD_MINER,
        "satellite": SATELLITE,
        "swap": SWAP,
        "alfred": ALFRED,
    }
)
"""The makers by the published name of their domain."""
