"""A page in the browser at which people play challenges. `herobench autumn serve` opens it.

A person stands in for a model. `attempt` tells an episode as data, one JSON object for each turn. `seat` is the model
of the run: it hands this object to the page and returns the action that the person takes. `server` serves the page, on
this machine only. `files` is what runs in the browser. So a run keeps, resumes and scores the play of people as it does
that of models.
"""
