"""The suite discover: a model explores a land with hidden laws, on few days, and then plans one more day in it.

- `game`: the laws and what is possible by them, the land, a day of it, and what answers tell
- `attempt`: the conversation about one task
- `suite`: it behind the contract of suites
- `players`: players that need no model
- `making`: the generator, the best halving, the proof and the audit
"""
