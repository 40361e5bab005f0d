"""The HTTP server of `herobench serve`: scoring, and the routes of NeMo Gym.

It needs the extra `serve`. `make_app` returns the application; `herobench.surfaces.http_server` runs it.
"""
