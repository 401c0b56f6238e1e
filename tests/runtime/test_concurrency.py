"""Several threads, interrupts, forks, and the end of the process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import rlx

F32 = np.float32
HEAD = """
import os, signal, sys, threading, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs of a shell ignore it
import numpy as np
import rlx
def build(size=256):
    g = rlx.Graph("work")
    x = g.input("x", (size, size), "f32")
    w = g.param("w", (size, size), "f32")
    total = g.state("total", (size, size), "f32")
    y = x @ w
    g.update("total", total + 1.0)
    g.set_outputs({"y": g.exp(y * 0.0) + total})
    exe = rlx.compile(g)
    exe.set_param("w", np.ones((size, size), np.float32))
    return exe
x = np.ones((256, 256), np.float32)
"""


def start(code):
    return subprocess.Popen(
        [sys.executable, "-c", HEAD + code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "RLX_THREADS": "2", "RLX_VERIFY": "0"},
    )


def finish(process, seconds=60):
    try:
        out, err = process.communicate(timeout=seconds)
    finally:
        process.kill()  # nothing when it has ended; a hanging one must not go on taking a core
    assert process.returncode == 0, out + err
    return out


def test_calls_on_one_executable_take_turns():
    g = rlx.Graph("sum")
    n = rlx.Dim("n")
    x = g.input("x", (n, 32), "f32")
    g.set_outputs({"y": g.softmax(x @ g.param("w", (32, 32), "f32"), axis=-1)})
    exe = rlx.compile(g)
    exe.set_param("w", np.eye(32, dtype=F32))
    inputs = [np.random.default_rng(i).standard_normal((1 + 7 * i, 32)).astype(F32) for i in range(8)]
    expected = [exe(x=x) for x in inputs]
    wrong = []

    def work(first):
        for step in range(40):
            index = (first + step) % 8
            if exe(x=inputs[index]).tobytes() != expected[index].tobytes():
                wrong.append(index)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_interrupts_leave_everything_consistent():
    process = start("""
exe = build()
exe.run({"x": x})
for round in range(8):
    try:
        print("go", flush=True)
        while True:
            exe.run({"x": x})
    except KeyboardInterrupt:
        total = exe.state("total")
        assert (total == total[0, 0]).all(), "half an update"
        found = exe.run({"x": x})["y"]
        assert (found == found[0, 0]).all() and found[0, 0] == total[0, 0] + 1
        exe.set_param("w", np.ones((256, 256), np.float32))
other = threading.Thread(target=lambda: exe.run({"x": x}))  # no lock was left behind
other.start()
other.join()
print("fine", flush=True)
""")
    for number in range(8):
        assert process.stdout.readline() == "go\n", process.stderr.read()
        time.sleep(0.02 + 0.0013 * number)
        process.send_signal(signal.SIGINT)
    assert finish(process) == "fine\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_can_compile():
    """It has none of its parent's compiling threads."""
    out = finish(
        start("""
build()
child = os.fork()
if child == 0:
    found = rlx.jit(lambda x: x * 3 + 1)(np.float32([1, 2]))
    os._exit(0 if (np.asarray(found) == [4, 7]).all() else 1)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
print("fine")
""")
    )
    assert out == "fine\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_can_run():
    out = finish(
        start("""
exe = build()
first = exe.run({"x": x})["y"].copy()
stop = threading.Event()
def busy():
    while not stop.is_set():
        exe.run({"x": x})
other = threading.Thread(target=busy, daemon=True)
other.start()
time.sleep(0.05)
for _ in range(5):
    child = os.fork()  # while another thread may hold the executable's lock and the pool
    if child == 0:
        found = exe.run({"x": x})["y"]
        fine = (found == found[0, 0]).all()
        again = exe.clone().run({"x": x})["y"]
        os._exit(0 if fine and (again == again[0, 0]).all() else 1)
    for _ in range(2000):
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            break
        time.sleep(0.01)
    else:
        os.kill(child, signal.SIGKILL)
        stop.set()
        raise SystemExit("the child hangs")
    assert os.waitstatus_to_exitcode(status) == 0
stop.set()
other.join()
print("fine")
""")
    )
    assert out == "fine\n"


@pytest.mark.parametrize(
    "ending",
    [
        "sys.exit(0)",
        "threading.Thread(target=lambda: [exe.run({'x': x}) for _ in range(20)]).start()",
        "threading.Thread(target=lambda: [exe.run({'x': x}) for _ in range(10**9)], daemon=True).start(); time.sleep(0.05)",
        "del exe",
    ],
)
def test_the_process_ends(ending):
    finish(start(f"exe = build()\nexe.run({{'x': x}})\n{ending}\n"), 30)
