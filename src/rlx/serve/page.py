"""The page at `/`: one file, sent as it is; its own script and style are all it may load."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.types import ASGIApp

from rlx.serve.state import ServerState

_POLICY = (
    "default-src 'none'; script-src 'sha256-{script}'; style-src 'unsafe-inline'; connect-src 'self'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


@cache
def _page() -> tuple[str, str]:
    """The text, and the policy that lets its one script run and no other."""
    text = files("rlx.serve").joinpath("page.html").read_text("utf-8")
    script = text.partition("<script>")[2].rpartition("</script>")[0]
    return text, _POLICY.format(script=b64encode(sha256(script.encode()).digest()).decode())


async def page(state: ServerState, request: Request) -> ASGIApp:
    """The page."""
    text, policy = _page()
    return HTMLResponse(text, headers={"content-security-policy": policy, "x-content-type-options": "nosniff"})
