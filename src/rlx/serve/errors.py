"""Errors: one exception, and its body in the format of the endpoint's API."""

from __future__ import annotations

import logging
import secrets
from typing import Any

import msgspec

from rlx.core.errors import RlxError

log = logging.getLogger("rlx.serve")

_KINDS = {
    400: ("invalid_request_error", "invalid_request_error"),
    401: ("authentication_error", "authentication_error"),
    403: ("permission_error", "permission_error"),
    404: ("not_found_error", "not_found_error"),
    405: ("invalid_request_error", "invalid_request_error"),
    408: ("timeout_error", "timeout_error"),
    413: ("invalid_request_error", "request_too_large"),
    429: ("rate_limit_error", "rate_limit_error"),
    500: ("server_error", "api_error"),
    503: ("server_error", "overloaded_error"),
    504: ("timeout_error", "timeout_error"),
}
"""By status: `type` in OpenAI's format, and in Anthropic's."""

_CALLERS_FAULT = {
    "RLX901": "context_length_exceeded",
    "RLX902": None,
    "RLX903": None,
    "RLX904": "template_failed",
    "RLX905": "grammar_not_accepted",
}
"""Error codes that a request causes; others are faults of the server or of its model."""


class ApiError(Exception):
    """An HTTP error response: status, message, and which field of the request is at fault."""

    def __init__(
        self, status: int, message: str, *, param: str | None = None, code: str | None = None, retry_after: int | None = None
    ) -> None:
        super().__init__(message)
        self.status, self.message, self.param, self.code, self.retry_after = status, message, param, code, retry_after

    @property
    def headers(self) -> dict[str, str]:
        """The HTTP headers of the error response."""
        retry = {} if self.retry_after is None else {"retry-after": str(self.retry_after)}
        return retry | ({"www-authenticate": "Bearer"} if self.status == 401 else {})


def as_api_error(error: BaseException) -> ApiError:
    """Converts any exception to an ApiError. One that the request did not cause is a 500 without details, with the log's number."""
    if isinstance(error, ApiError):
        return error
    if isinstance(error, RlxError) and error.code in _CALLERS_FAULT:
        fix = "" if error.code == "RLX901" else f"; {error.fix}"  # its fixes are for callers of the engine
        return ApiError(400, error.message + fix, code=_CALLERS_FAULT[error.code])
    if isinstance(error, msgspec.ValidationError):
        text = str(error)
        where = text.partition("`$.")[2].partition("`")[0] or None
        return ApiError(400, text, param=where)
    if isinstance(error, msgspec.DecodeError):
        return ApiError(400, f"the body is not valid JSON: {error}")
    number = secrets.token_hex(4)
    log.error("internal error %s", number, exc_info=error)
    said = f"{error.code}: {error.message}" if isinstance(error, RlxError) else "internal error"
    return ApiError(500, f"{said} (number {number} in the server's log)", code="internal_error")


def error_body(error: ApiError, path: str) -> dict[str, Any]:
    """Builds an error's body in the format of the path's API."""
    openai, anthropic = _KINDS.get(error.status, _KINDS[400 if error.status < 500 else 500])
    if path.removeprefix("/v1").startswith("/messages"):
        return {"type": "error", "error": {"type": anthropic, "message": error.message}}
    if path.startswith("/api/"):
        return {"error": error.message}
    return {"error": {"message": error.message, "type": openai, "param": error.param, "code": error.code}}
