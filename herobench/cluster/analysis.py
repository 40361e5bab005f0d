"""The work of `herobench analyze` on a cluster: chunks of files become facts, which are merged on this machine.

A worker opens the files itself, so they have to be there under the same paths on all machines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import replace

from herobench.analysis.samples.facts import Chunk, ChunkFacts, Facts, chunks_of, facts_of, merged
from herobench.analysis.samples.sources import Source
from herobench.cluster.engine import Done, Engine, results
from herobench.cluster.store import Unreachable

_Numbered = tuple[int, Chunk]


def facts_on(engine: Engine, sources: Iterable[Source]) -> Facts:
    """Return the facts of all samples of some sources, in their order. Raise as `facts` does, or Unreachable."""
    # a worker may work in another folder
    found = [replace(source, path=source.path.absolute()) for source in sources]
    return merged(_in_order(engine, enumerate(chunk for source in found for chunk in chunks_of(source))))


def _in_order(engine: Engine, chunks: Iterable[_Numbered]) -> Iterator[ChunkFacts]:
    """Yield the facts of chunks in the order of their numbers, which begin with 0."""
    early: dict[int, ChunkFacts] = {}
    turn = 0
    with closing(results(engine, _facts, chunks)) as ended:
        for one in ended:
            number, chunk = one.given
            if not isinstance(one, Done):
                raise Unreachable(f"{chunk.source.file} cannot be read {one.reason}")
            early[number] = one.made
            while turn in early:
                yield early.pop(turn)
                turn += 1


def _facts(numbered: _Numbered) -> ChunkFacts:
    return facts_of(numbered[1])
