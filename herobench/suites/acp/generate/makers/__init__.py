"""The makers of instances: one for each domain of ACPBench Hard, in code of our own.

A maker draws a problem of a wanted size. The sizes are those of the published instances.
"""

from collections.abc import Mapping
from types import MappingProxyType

from herobench.suites.acp.generate.makers.alfred import ALFRED
from herobench.suites.acp.generate.makers.blocks import BLOCKS
from herobench.suites.acp.generate.makers.depots import DEPOTS
from herobench.suites.acp.generate.makers.ferry import FERRY
from herobench.suites.acp.generate.makers.floor_tile import FLOOR_TILE
from herobench.suites.acp.generate.makers.gold_miner import GOLD_MINER
from herobench.suites.acp.generate.makers.grid import GRID
from herobench.suites.acp.generate.makers.gripper import GRIPPER
from herobench.suites.acp.generate.makers.logistics import LOGISTICS
from herobench.suites.acp.generate.makers.maker import Maker
from herobench.suites.acp.generate.makers.rover import ROVER
from herobench.suites.acp.generate.makers.satellite import SATELLITE
from herobench.suites.acp.generate.makers.swap import SWAP
from herobench.suites.acp.generate.makers.visit_all import VISIT_ALL

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
