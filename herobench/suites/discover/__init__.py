"""The suite discover: worlds in which some things differ from what is told, to be found by acting, then planned in.

- `game`: what may differ, as data (`families`), and a task with the game that tools play (`mystery`)
- `attempt`: the conversation about one task, and what agents may plan by that are made for the RPG
- `suite`: both behind the contract of suites
- `players`: players that need no model
"""
