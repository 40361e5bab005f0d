"""Pages in the browser at which a person stands in for a model: `herobench play`, and pages of suites.

`server` serves a page on this machine only, and has the seat, which is the model of the run, and the page for any
suite: it shows what a model is told, and the tools that a model has. `shared` is the frame and the scripts of all
pages. So a run keeps, resumes and scores the play of people as it does that of models.
"""
