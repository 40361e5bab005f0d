"""The suite discover: worlds in which some things differ from what is told, to be found by acting, then planned in.

- `game`: what may differ, as data (`families`), a task (`mystery`), and the game that tools play (`exploration`)
- `attempt`: the conversation about one task, and what agents may plan by that are made for the RPG
- `suite`: both behind the contract of suites
- `players`: players that need no model
"""
