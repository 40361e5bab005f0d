"""Work on a cluster: the commands' `--on ray`, and callables for Ray Data.

A job is cut into shards. The rows of a shard depend only on its input, so that any worker can make it, and another one
can make it again if that worker is lost. A manifest lists the finished shards. In your own pipeline:

    import ray
    from herobench.cluster import Score, map_options

    answers = ray.data.read_json("answers", lines=True)
    scored = answers.map_batches(Score, **map_options(Score, tasks="base"))
"""

from herobench.cluster.maps import Generate, Score, map_options

__all__ = ["Generate", "Score", "map_options"]
