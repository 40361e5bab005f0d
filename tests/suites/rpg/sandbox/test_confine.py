"""The things that a confined process cannot do any more. Each is tried in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from herobench.suites.rpg.sandbox.confine import LAYERS
from tests.sizes import for_each

PROGRAM = """
import ctypes, mmap, os, signal, socket, sys, threading
from herobench.suites.rpg.sandbox.confine import confine

def fail():
    raise OSError

def map_then_execute():
    held = mmap.mmap(-1, 4096)
    address = ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(held)))
    ctypes.CDLL(None).mprotect(address, ctypes.c_size_t(4096), 5) == 0 or fail()

layers = confine(1 << 30)
os.write(1, (" ".join(layers) + "\\n").encode())
try:
    {attempt}
except (OSError, MemoryError, ValueError) as error:
    os.write(1, b"refused\\n")
else:
    os.write(1, b"done\\n")
"""


def tried(attempt: str) -> tuple[set[str], str]:
    """The layers that held, and what came of it: done, refused or killed."""
    done = subprocess.run([sys.executable, "-c", PROGRAM.format(attempt=attempt)], capture_output=True, text=True)
    lines = done.stdout.splitlines()
    return set(lines[0].split()), lines[1] if len(lines) > 1 else "killed" if done.returncode < 0 else done.stderr


def test_computing_and_speaking_over_pipes_is_all_that_is_left() -> None:
    layers, came = tried("os.write(1, b''); sum(range(10**6)); [0] * 10**6")
    assert layers <= set(LAYERS)
    assert came == "done"


@for_each(
    ("attempt", "layer"),
    [
        ("open('/etc/passwd')", "landlock"),
        ("open('/tmp/herobench-probe', 'w')", "landlock"),
        ("os.listdir('/')", "landlock"),
        ("socket.socket()", "seccomp"),
        ("os.fork()", "seccomp"),
        ("os.kill(os.getppid(), signal.SIGCONT)", "seccomp"),
        ("os.execv('/bin/true', ['true'])", "seccomp"),
        ("os.setuid(0)", "seccomp"),
        ("os.unlink('/tmp/herobench-probe')", "seccomp"),
        ("os.rename('/tmp', '/tmp2')", "seccomp"),
        ("os.pipe()", "seccomp"),
        ("signal.setitimer(signal.ITIMER_REAL, 1)", "seccomp"),
        ("threading.Thread(target=print).start()", "seccomp"),
        ("ctypes.CDLL(None).ptrace(0, 0, 0, 0) == 0 or fail()", "seccomp"),
        ("ctypes.CDLL(None).prctl(22, 2, 0, 0, 0) == 0 or fail()", "seccomp"),
        ("mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)", "no_writable_code"),
        ("map_then_execute()", "no_writable_code"),
        ("bytearray(4 << 30)", "resources"),
    ],
)
def test_it_is_refused_or_deadly(attempt: str, layer: str) -> None:
    layers, came = tried(attempt)
    if layer not in layers:
        pytest.skip(f"the layer {layer} is missing on this machine")
    assert came in ("refused", "killed")


ALONE = """
import os, socket
from herobench.suites.rpg.sandbox import confine
os.write(1, str({layer}).encode() + b"\\n")
try:
    {attempt}
except (OSError, MemoryError):
    os.write(1, b"refused")
else:
    os.write(1, b"done")
"""
BY_ITSELF = {
    "confine.install_landlock()": (
        "open('/etc/passwd')", "open('/tmp/herobench-probe', 'w')", "os.listdir('/')",
        "os.mkdir('/tmp/herobench-probe')", "os.execv('/bin/true', ['true'])",
    ),
    "confine.install_seccomp()": (
        "open('/etc/passwd')", "os.stat('/etc/passwd')", "os.getcwd()", "socket.socket()", "os.fork()",
        "os.execv('/bin/true', ['true'])",
    ),
    "confine._limit_resources(1 << 30)": ("bytearray(2 << 30)", "[os.dup(0) for _ in range(9)]"),
    "confine._drop_privileges()": ("os.setuid(0)", "open('/etc/shadow')", "os.setgroups([0])"),
}  # fmt: skip


@for_each(("layer", "attempt"), [(layer, each) for layer, all_ in BY_ITSELF.items() for each in all_])
def test_each_layer_holds_without_the_others(layer: str, attempt: str) -> None:
    program = ALONE.format(layer=layer, attempt=attempt)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    held, came = [*done.stdout.split(), "killed"][:2]
    if held != "True":
        pytest.skip(f"{layer} does not hold on this machine")
    assert came == "refused" or (came == "killed" and done.returncode < 0), done
    assert not Path("/tmp/herobench-probe").exists()
