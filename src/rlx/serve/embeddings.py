"""/v1/embeddings: vectors of texts or token ids, as numbers or as base64 of their bytes."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
from msgspec import Struct
from starlette.requests import Request
from starlette.types import ASGIApp

from rlx.serve.errors import ApiError
from rlx.serve.fields import FieldTable, RefusedField
from rlx.serve.sse import while_connected
from rlx.serve.state import ServerState, as_json
from rlx.serve.wanted import CALLER

MOST_TEXTS = 2048


class EmbeddingRequest(Struct, kw_only=True):
    """The fields that are obeyed."""

    input: str | list[str | int | list[int]]
    model: str | None = None
    encoding_format: str | None = None
    dimensions: int | None = None


EMBEDDINGS = FieldTable(
    EmbeddingRequest,
    harmless={"user": "names the end user for abuse reports, which are not made here"},
    refused={"truncate_prompt_tokens": RefusedField("a text that does not fit is an error", (0,))},
)


def _texts(given: str | list[Any]) -> list[Any]:
    if isinstance(given, str):
        return [given]
    if not given:
        raise ApiError(400, "input is empty", param="input")
    if all(isinstance(part, int) for part in given):
        return [given]
    if any(isinstance(part, int) for part in given):
        raise ApiError(400, "input mixes texts and token ids", param="input")
    if len(given) > MOST_TEXTS:
        raise ApiError(400, f"input has {len(given)} texts; the server takes {MOST_TEXTS} at once", param="input")
    return given


async def embeddings(state: ServerState, body: Any, request: Request) -> ASGIApp:
    """The endpoint."""
    asked = EMBEDDINGS.read(body)
    served = state.models.find(asked.model)
    form = asked.encoding_format or "float"
    if form not in ("float", "base64"):
        raise ApiError(400, f"encoding_format is {form[:40]!r}; it is float or base64", param="encoding_format")
    width = served.model.config.width
    if asked.dimensions not in (None, width):
        raise ApiError(400, f"dimensions is {asked.dimensions}; vectors here have {width}", param="dimensions")
    state.check_open()
    engine, texts = served.engine, _texts(asked.input)
    call = await state.read(request, lambda: engine.submit_embed(texts, caller=CALLER.get()))
    vectors = await state.within_time(while_connected(request.receive, call.gathered()))
    data = [{"object": "embedding", "index": place, "embedding": _shown(vector, form)} for place, vector in enumerate(vectors)]
    count = {"prompt_tokens": call.tokens, "total_tokens": call.tokens}
    return as_json({"object": "list", "data": data, "model": asked.model or served.name, "usage": count})


def _shown(vector: Any, form: str) -> Any:
    if form == "float":
        return vector.tolist()
    return base64.b64encode(vector.astype(np.dtype("<f4")).tobytes()).decode()
