"""A model file of a few hundred kilobytes with random weights: what a real server needs in order to answer at all.

No weights are downloaded and none are meant: the server, the chat template, the tokens, the counts and the limits are
real, only the words are noise. The file is GGUF version 3, written by hand because the format is a header and a list of
arrays, and a writer from elsewhere would be one more thing to install. The vocabulary is that of a SentencePiece model:
256 bytes, the printable ASCII characters, and all pairs of small letters, so English has fewer tokens than characters.
The weights that would give the end of the text, or a bare byte, are zero, so an answer is ASCII and runs until
`max_tokens`; without a limit it runs until the context is full.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from string import ascii_lowercase

import numpy as np
import numpy.typing as npt

CONTEXT = 32_768
"""Tokens that a prompt and its answer may have together; an ASCII prompt has at most one a character."""

_LAYERS, _WIDTH, _HEADS, _FEED_FORWARD = 2, 64, 2, 128
_SHARPNESS = 2.0
"""The spread of the logits: enough for some words to stand out, too little for every seed to give the same answer."""

_SPACE = "\u2581"
_WORDS = ["\n", _SPACE, *map(chr, range(33, 127)), *map("".join, product(ascii_lowercase, repeat=2))]
_SPECIAL = ["<unk>", "<s>", "</s>"]
_TOKENS = [*_SPECIAL, *(f"<0x{byte:02X}>" for byte in range(256)), *_WORDS]
_NORMAL, _UNKNOWN, _CONTROL, _BYTE = 1, 2, 3, 6
_TYPES = [_UNKNOWN, _CONTROL, _CONTROL, *[_BYTE] * 256, *[_NORMAL] * len(_WORDS)]
_TEMPLATE = (
    "{% for message in messages %}[{{ message.role }}]\n{{ message.content }}\n{% endfor %}"
    "{% if add_generation_prompt %}[assistant]\n{% endif %}"
)

_Matrix = npt.NDArray[np.float32]
_Value = bool | int | float | str | Sequence[int] | Sequence[float] | Sequence[str]


def write_model(path: Path, seed: int = 0) -> None:
    """The same seed gives the same bytes."""
    tensors = _tensors(np.random.default_rng(seed))
    header = [b"GGUF", struct.pack("<IQQ", 3, len(tensors), len(_metadata()))]
    header += [_text(key) + _typed(value) for key, value in _metadata().items()]
    body = bytearray()
    for name, tensor in tensors.items():
        shape = tensor.shape[::-1]
        header.append(_text(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, 0, len(body)))
        body += _padded(tensor.astype("<f4").tobytes())
    path.write_bytes(_padded(b"".join(header)) + body)


def _metadata() -> dict[str, _Value]:
    return {
        "general.architecture": "llama",
        "general.name": "random",
        "llama.context_length": CONTEXT,
        "llama.embedding_length": _WIDTH,
        "llama.block_count": _LAYERS,
        "llama.feed_forward_length": _FEED_FORWARD,
        "llama.attention.head_count": _HEADS,
        "llama.attention.layer_norm_rms_epsilon": 1e-5,
        "llama.rope.dimension_count": _WIDTH // _HEADS,
        "tokenizer.ggml.model": "llama",
        "tokenizer.ggml.tokens": _TOKENS,
        "tokenizer.ggml.scores": [0.0] * len(_TOKENS),
        "tokenizer.ggml.token_type": _TYPES,
        "tokenizer.ggml.unknown_token_id": 0,
        "tokenizer.ggml.bos_token_id": 1,
        "tokenizer.ggml.eos_token_id": 2,
        "tokenizer.ggml.add_space_prefix": False,
        "tokenizer.chat_template": _TEMPLATE,
    }


def _tensors(rng: np.random.Generator) -> dict[str, _Matrix]:
    def weights(rows: int, columns: int) -> _Matrix:
        return rng.standard_normal((rows, columns), np.float32) / np.float32(columns**0.5)

    ones = np.ones(_WIDTH, np.float32)
    output = _SHARPNESS * weights(len(_TOKENS), _WIDTH)
    output[: -len(_WORDS)] = 0
    tensors = {"token_embd.weight": weights(len(_TOKENS), _WIDTH), "output_norm.weight": ones, "output.weight": output}
    for layer in range(_LAYERS):
        parts = {f"attn_{part}": weights(_WIDTH, _WIDTH) for part in ("q", "k", "v", "output")}
        parts |= {f"ffn_{part}": weights(_FEED_FORWARD, _WIDTH) for part in ("gate", "up")}
        parts |= {"ffn_down": weights(_WIDTH, _FEED_FORWARD), "attn_norm": ones, "ffn_norm": ones}
        tensors |= {f"blk.{layer}.{part}.weight": tensor for part, tensor in parts.items()}
    return tensors


def _text(text: str) -> bytes:
    data = text.encode()
    return struct.pack("<Q", len(data)) + data


def _typed(value: _Value) -> bytes:
    """A value after its type's number; a whole number is unsigned alone and signed in a list, as readers expect."""
    if isinstance(value, str):
        return struct.pack("<I", 8) + _text(value)
    if isinstance(value, bool):
        return struct.pack("<I?", 7, value)
    if isinstance(value, int):
        return struct.pack("<II", 4, value)
    if isinstance(value, float):
        return struct.pack("<If", 6, value)
    head = struct.pack("<I", 9)
    if all(isinstance(item, str) for item in value):
        return head + struct.pack("<IQ", 8, len(value)) + b"".join(_text(str(item)) for item in value)
    kind, code = (5, "i") if all(isinstance(item, int) for item in value) else (6, "f")
    return head + struct.pack(f"<IQ{len(value)}{code}", kind, len(value), *value)


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 32)
