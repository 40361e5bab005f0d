"""Plays tasks through an MCP server with the official client, in an environment that has it: no part of HeroBench.

    python mcp_client.py SOLUTIONS.json COMMAND...     # starts the server, and speaks over standard input and output
    python mcp_client.py SOLUTIONS.json http://.../mcp

The solutions are turns by task: each a text, or a list of calls. It prints what came of it as JSON.
"""

import asyncio
import json
import sys
from contextlib import asynccontextmanager
from pathlib import Path

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client


@asynccontextmanager
async def session(words):
    command = StdioServerParameters(command=words[0], args=words[1:])
    over = streamable_http_client(words[0]) if words[0].startswith("http") else stdio_client(command)
    async with over as streams, ClientSession(*streams[:2]) as opened:
        yield opened, await opened.initialize()


async def call(opened, tool, /, **arguments):
    result = await opened.call_tool(tool, arguments)
    row = result.model_dump(by_alias=True)
    if row["isError"]:
        return row["content"][0]["text"]
    return row["structuredContent"]


async def main(file, *words):
    solutions = json.loads(Path(file).read_text("utf-8"))
    async with session(words) as (opened, begun):
        server = begun.model_dump(by_alias=True)["serverInfo"]
        seen = {"server": [server["name"], server["version"]]}
        seen["tools"] = sorted(tool.name for tool in (await opened.list_tools()).tools)
        seen["tasks"] = await call(opened, "list_tasks", limit=2)
        seen["shown"] = [await call(opened, "show_task", task_id=task_id) for task_id in solutions]
        seen["refused"] = [
            await call(opened, "show_task", task_id="nowhere"),
            await call(opened, "list_tasks", limit=0),
            await call(opened, "say", session_id="none", text="?"),
            *[await call(opened, "start_attempt", task_id=task_id, epoch=-1) for task_id in solutions],
            await call(opened, "start_attempt", task_id="?", epoch="0"),
            await call(opened, "start_attempt", task_id="?", epochs=0),
        ]
        seen["results"], seen["stands"], seen["submitted"], seen["misplayed"] = {}, [], {}, []
        for task_id, turns in solutions.items():
            stand = await call(opened, "start_attempt", task_id=task_id)
            key = {"session_id": stand["session_id"]}
            if isinstance(turns[0], str):
                seen["misplayed"].append(await call(opened, "call_tool", name="move", **key))
            else:
                seen["misplayed"].append(await call(opened, "submit_answer", task_id=task_id, answer="?"))
            for turn in turns:
                if isinstance(turn, str):
                    stand = await call(opened, "say", text=turn, **key)
                else:
                    for name, arguments in turn:
                        stand = await call(opened, "call_tool", name=name, arguments=arguments, **key)
            seen["stands"].append(stand)
            seen["results"][task_id] = await call(opened, "end_attempt", **key)
            if isinstance(turns[0], str):
                seen["submitted"][task_id] = await call(opened, "submit_answer", task_id=task_id, answer=turns[0])
    print(json.dumps(seen))


asyncio.run(main(*sys.argv[1:]))
