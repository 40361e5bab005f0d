"""The suite discover: a model explores a world that differs from its description, and then plans in it.

- `game`: what may differ, as data (`families`), and a task with the game that tools play (`mystery`)
- `attempt`: the conversation about one task, and what agents may plan by that are made for the RPG
- `suite`: both behind the contract of suites
- `players`: players that need no model
"""
