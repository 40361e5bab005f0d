"""Plays episodes with OpenEnv's own client, in an environment that has it: no part of HeroBench.

    python openenv_client.py URL EPISODES.json SESSIONS

An episode has the arguments of its `reset` and its turns: each an action, again from the first until it ends. It
may have `forks`: so many turns before its end, two more sessions copy it, and play the rest. The client prints what
came of each as a line of JSON; last, how many sessions were open at once, and whether one more was refused.
"""

import asyncio
import json
import sys
from pathlib import Path

from openenv import GenericEnvClient


async def play(client, episode, url):
    seen = {"rewards": [], "steps": 0, "forks": []}
    try:
        result = await client.reset(**episode["reset"])
        seen["opening"] = result.observation
        seen["state"] = await client.state()
        while not result.done and episode["turns"]:
            if len(episode["turns"]) - seen["steps"] == episode.get("forks"):
                left = {
                    "reset": {"fork": (await client.state())["episode_id"]},
                    "turns": episode["turns"][seen["steps"] :],
                }
                for _ in range(2):
                    async with GenericEnvClient(base_url=url) as other:
                        seen["forks"].append(await play(other, left, url))
            result = await client.step(episode["turns"][seen["steps"] % len(episode["turns"])])
            seen["steps"] += 1
            seen["rewards"].append(result.reward)
        seen |= {"done": result.done, "metadata": result.metadata, "after": await client.state()}
    except RuntimeError as error:
        seen["refused"] = str(error)
    return seen


async def main(url, file, sessions):
    episodes = json.loads(Path(file).read_text("utf-8"))
    waiting = list(enumerate(episodes))[::-1]
    seen = [None] * len(episodes)
    everyone = asyncio.Barrier(int(sessions))
    more = []

    async def session(number):
        async with GenericEnvClient(base_url=url) as client:
            await client.state()
            await everyone.wait()  # all of them are open now
            if number == 0:
                try:
                    async with GenericEnvClient(base_url=url) as other:
                        await other.state()
                except Exception as error:
                    more.append(str(error))
            while waiting:
                index, episode = waiting.pop()
                seen[index] = await play(client, episode, url)

    await asyncio.gather(*map(session, range(int(sessions))))
    for row in seen:
        print(json.dumps(row))
    print(json.dumps({"sessions": int(sessions), "refused": more}))


asyncio.run(main(*sys.argv[1:]))
