"""One more turn of Cline's last conversation, typed at a terminal of its own: python cline_turns.py TEXT."""

import fcntl
import json
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time

listed = subprocess.run(["cline", "history", "--json"], capture_output=True, text=True, check=True).stdout
session = json.loads(listed)[0]["sessionId"]
main, side = pty.openpty()
fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
environment = {**os.environ, "TERM": "xterm-256color"}
agent = subprocess.Popen(
    ["cline", "-i", "--id", session], stdin=side, stdout=side, stderr=side, env=environment, start_new_session=True
)
shown = b""


def watch(seconds):
    """What is shown for some seconds."""
    global shown
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        if select.select([main], [], [], left)[0]:
            shown += os.read(main, 65536)


watch(15)
os.write(main, sys.argv[1].encode())
watch(2)
os.write(main, b"\r")
watch(15)
agent.kill()
print(shown[-1500:])
