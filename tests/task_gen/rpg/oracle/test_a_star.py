"""A* against the true distances, on random graphs."""

from collections.abc import Iterator
from itertools import pairwise
from random import Random

from herobench.task_gen.rpg.oracle.job_order import a_star
from tests.sizes import for_each

NODES = 12
ENDLESS = 10**6


class Graph:
    """A random graph with a consistent estimate: half of the true distance, rounded down."""

    start = 0

    def __init__(self, seed: int, share: float = 0.2) -> None:
        chance = Random(seed)
        self.goals = set(chance.sample(range(1, NODES), 2))
        pairs = [(one, other) for one in range(NODES) for other in range(NODES) if chance.random() < share]
        self.edges = {pair: chance.choice([0, 1, 2, 5]) for pair in pairs}
        self.distance = {node: 0 if node in self.goals else ENDLESS for node in range(NODES)}
        for _ in range(NODES):
            for (one, other), cost in self.edges.items():
                self.distance[one] = min(self.distance[one], cost + self.distance[other])

    def is_goal(self, state: int) -> bool:
        return state in self.goals

    def estimate(self, state: int) -> int:
        return self.distance[state] // 2

    def steps(self, state: int) -> Iterator[tuple[int, int]]:
        return ((cost, other) for (one, other), cost in self.edges.items() if one == state)


@for_each("seed", range(200))
def test_the_cheapest_path_is_found_where_there_is_one(seed: int) -> None:
    graph = Graph(seed)
    found = a_star(graph, ENDLESS)
    if graph.distance[0] >= ENDLESS:
        assert found is None
        return
    assert found is not None
    assert found.path is not None
    assert (found.path[0], found.path[-1] in graph.goals) == (0, True)
    assert found.cost == sum(graph.edges[pair] for pair in pairwise(found.path)) == graph.distance[0]


@for_each("seed", range(60))
def test_a_search_that_is_cut_short_gives_a_lower_bound_that_rises_with_the_limit(seed: int) -> None:
    graph = Graph(seed, share=0.3)
    bounds = []
    for limit in range(NODES + 1):
        found = a_star(graph, limit)
        if found is None or found.path is not None:
            break
        assert found.settled == limit
        bounds.append(found.cost)
    assert bounds == sorted(bounds)
    assert all(bound <= graph.distance[0] for bound in bounds)
