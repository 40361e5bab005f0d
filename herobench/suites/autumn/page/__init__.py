"""A page in the browser at which people play challenges. `herobench play` opens it.

A person stands in for a model. `attempt` tells an episode as data, one JSON object for each turn, and `files` is what
runs in the browser. `herobench.page` serves it. So a run keeps, resumes and scores the play of people as it does that
of models.
"""
