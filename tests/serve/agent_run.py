"""Runs a coding agent against a scripted model, in a network namespace of its own: `unshare -rn python -m tests.serve.agent_run < TASK`.

TASK is JSON: the command, its variables and folder, and the model's answers. Printed is JSON: how the agent ended and what was asked.
"""

from __future__ import annotations

import fcntl
import json
import logging
import socket
import struct
import subprocess
import sys

_GET_FLAGS, _SET_FLAGS, _UP = 0x8913, 0x8914, 1


def bring_up_loopback() -> None:
    """A new namespace has a loopback interface that is down."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        flags = struct.unpack("16sh", fcntl.ioctl(control, _GET_FLAGS, struct.pack("16sh", b"lo", 0)))[1]
        fcntl.ioctl(control, _SET_FLAGS, struct.pack("16sh", b"lo", flags | _UP))


class Requests(logging.Handler):
    """Lines of the server's log."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


def main() -> None:
    """Serve, run the agent, report."""
    from tests.serve.scripted import scripted
    from tests.serve.serving import running

    task, asked = json.load(sys.stdin), Requests()
    bring_up_loopback()
    logger = logging.getLogger("rlx.serve")
    logger.addHandler(asked)
    logger.setLevel(logging.INFO)
    model = scripted("scripted", task["answers"], tuple(task["aliases"]))
    with running(model) as server:
        environment = {name: value.replace("URL", server.url) for name, value in task["environment"].items()}
        command = [part.replace("URL", server.url) for part in task["command"]]
        done = subprocess.run(
            command,
            env=environment,
            cwd=task["folder"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=task["seconds"],
        )
    prompts = [text for text, _ in model.engine.asked]
    found = {"code": done.returncode, "output": done.stdout, "errors": done.stderr, "log": asked.lines}
    print(json.dumps({**found, "results": [text.rpartition("<turn>tool:")[2] for text in prompts]}))


if __name__ == "__main__":
    main()
