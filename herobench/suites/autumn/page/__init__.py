"""A page in the browser at which people play challenges. `herobench autumn serve` opens it.

A person stands in for a model. `attempt` tells an episode as data, one JSON object for each turn. `server` serves the
page on this machine only, and has the seat, which is the model of the run: it hands this object to the page and returns
the action that the person takes. `files` is what runs in the browser. So a run keeps, resumes and scores the play of
people as it does that of models.
"""
