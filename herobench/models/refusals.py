"""The errors of models and servers, each with its sentence."""

from herobench.data.errors import Fault


class ModelFault(Fault):
    """The kinds of errors of models and servers."""

    BAD_CACHE = "The cache {path} cannot be used: {error}. Name another file."
    BAD_KEY = "{told}: it has a line break, a space or a character that is not ASCII. Set it again."
    BAD_URL = "A base URL is like http://localhost:8000/v1, and {url!r} is not: correct --base-url."
    NO_KEY = "The environment variable {key_name}, which should hold the key, is not set: set it."
    NO_MODEL = (
        "There is no model {name!r}: is {near} meant? To ask the server for a model of this name, write openai:{name}."
    )
    NO_RECORDING = "The model replay names no recording: write --model replay:ANSWERS.jsonl."
    NO_SEED = "The Responses API takes no seed: leave --seed out, or use --api chat."
    NO_SERVER = "Set {key_name}, or name a server by --base-url; {players}."
    RESERVED_FIELDS = "--extra-body cannot set {fields}: the run sets that itself. Leave it out."
    UNUSED_OPTIONS = "The model {name} takes no {options}: leave the option out."
