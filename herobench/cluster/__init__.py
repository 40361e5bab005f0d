"""Work that is too much for one machine: the commands' `--on ray`, and callables for Ray Data.

A job is cut into shards. The rows of a shard depend on its input and nothing else, so that a shard can be made by any
worker, and again by another one when a worker is lost. A manifest tells which shards are done. In your own pipeline:

    import ray
    from herobench.cluster import Score, map_options

    answers = ray.data.read_json("answers", lines=True)
    scored = answers.map_batches(Score, **map_options(Score, tasks="base"))
"""

from herobench.cluster.maps import Generate, Score, map_options

__all__ = ["Generate", "Score", "map_options"]
