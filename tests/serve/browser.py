"""Debian's chromium without a window, driven over its DevTools protocol."""

from __future__ import annotations

import base64
import contextlib
import json
import re
import shutil
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Tab:
    """A page: `do` runs a method of the protocol, `js` an expression in the page."""

    def __init__(self, address: str) -> None:
        from websockets.sync.client import connect

        self.socket = connect(address, max_size=None).__enter__()
        self.number = 0
        self.problems: list[str] = []
        for domain in ("Page", "Runtime", "Log"):
            self.do(f"{domain}.enable")

    def do(self, method: str, **params: Any) -> dict[str, Any]:
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": params}))
        while True:
            message = json.loads(self.socket.recv(timeout=30))
            if message.get("id") == self.number:
                assert "error" not in message, message
                return message["result"]
            if message.get("method") == "Runtime.exceptionThrown":
                self.problems.append(json.dumps(message["params"])[:800])
            if message.get("method") == "Log.entryAdded" and message["params"]["entry"]["level"] == "error":
                self.problems.append(message["params"]["entry"]["text"])

    def js(self, expression: str) -> Any:
        found = self.do("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def until(self, expression: str, seconds: float = 20.0) -> Any:
        end = time.monotonic() + seconds
        while not (found := self.js(expression)):
            assert time.monotonic() < end, f"never: {expression}; {self.js('document.body.innerText')[:600]}"
            time.sleep(0.03)
        return found

    def go(self, url: str) -> None:
        self.do("Page.navigate", url=url)
        self.until(
            f"location.href.startsWith({url!r}) && document.readyState === 'complete' && !!document.querySelector('#model option')"
        )

    def type(self, selector: str, text: str) -> None:
        self.js(f"document.querySelector({selector!r}).focus()")
        self.do("Input.insertText", text=text)

    def press(self, key: str, text: str = "") -> None:
        code = {"Enter": 13, "Escape": 27, "Tab": 9, "ArrowUp": 38}[key]
        more = {"key": key, "code": key, "windowsVirtualKeyCode": code}
        self.do("Input.dispatchKeyEvent", type="keyDown", **more, **({"text": text} if text else {}))
        self.do("Input.dispatchKeyEvent", type="keyUp", **more)

    def click(self, selector: str) -> None:
        self.js(f"document.querySelector({selector!r}).click()")

    def say(self, text: str) -> None:
        self.type("#input", text)
        self.press("Enter", "\r")

    def picture(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self.do("Page.captureScreenshot", format="png")["data"]))

    def size(self, width: int, height: int, phone: bool = False) -> None:
        self.do("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)

    def colours(self, scheme: str) -> None:
        self.do("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])


class Browser:
    """The process; every tab shares what pages keep."""

    def __init__(self, port: int) -> None:
        self.port = port

    def tab(self) -> Tab:
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/json/new?about:blank", method="PUT")
        with urllib.request.urlopen(request, timeout=20) as answer:
            return Tab(json.load(answer)["webSocketDebuggerUrl"])


@contextlib.contextmanager
def browser() -> Iterator[Browser]:
    folder = tempfile.mkdtemp(prefix="rlx-browser-")
    words = [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage"]
    words += ["--disable-background-networking", "--disable-extensions", "--hide-scrollbars", f"--user-data-dir={folder}"]
    process = subprocess.Popen([*words, "--remote-debugging-port=0", "about:blank"], stderr=subprocess.PIPE, text=True)
    try:
        port = None
        while port is None:
            line = process.stderr.readline()
            assert line, "chromium ended"
            port = re.search(r"DevTools listening on ws://127\.0\.0\.1:(\d+)/", line)
        yield Browser(int(port.group(1)))
    finally:
        process.terminate()
        process.wait(20)
        process.stderr.close()
        shutil.rmtree(folder, ignore_errors=True)
