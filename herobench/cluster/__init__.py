"""Work on a cluster by Ray Data: the commands' `--on ray`, and callables for pipelines.

import ray
from herobench.cluster import Score, map_options

answers = ray.data.read_json("answers", lines=True)
scored = answers.map_batches(Score, **map_options(Score, tasks="base"))
"""

from herobench.cluster.maps import Generate, Score, map_options

__all__ = ["Generate", "Score", "map_options"]
