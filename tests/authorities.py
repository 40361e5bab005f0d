"""The certificates of this machine, which tests set aside, and which programs that fetch packages need again."""

import os

_NAMES = ("SSL_CERT_FILE", "SSL_CERT_DIR")
_KEPT = "HEROBENCH_TESTS_"


def set_aside() -> None:
    """Take the names of certificates out of the environment. Worker processes of pytest inherit what is kept."""
    if not any(_KEPT + name in os.environ for name in _NAMES):
        os.environ.update({_KEPT + name: os.environ.get(name, "") for name in _NAMES})
    for name in _NAMES:
        os.environ.pop(name, None)


def with_authorities() -> dict[str, str]:
    """Return the environment with the certificates as they were before tests began."""
    environment = {name: value for name, value in os.environ.items() if name not in _NAMES}
    kept = {name: os.environ.get(_KEPT + name, "") for name in _NAMES}
    return {**environment, **{name: value for name, value in kept.items() if value}}
