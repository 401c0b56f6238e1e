"""Models: open-weight models from GGUF files and Hugging Face folders, and the flow they are written with."""

from typing import TYPE_CHECKING, Any

from rlx.models.family import Config, Family, Profile, register, supported
from rlx.models.flow import Shapes
from rlx.models.model import Model, open_model
from rlx.models.rope import Rope
from rlx.models.weights import Joined, Mapped, RowSlice, Weight, per_layer

if TYPE_CHECKING:
    from rlx.models.flow import Flow

__all__ = [
    "Config", "Family", "Flow", "Joined", "Mapped", "Model", "Profile", "Rope", "RowSlice", "Shapes", "Weight", "open_model",
    "per_layer", "register", "supported",
]  # fmt: skip


def _load(name: str) -> Any:
    """Imports `Flow`, and with it every op, only when a graph is built: a model from the cache does not need it."""
    if name != "Flow":
        raise AttributeError(f"module 'rlx.models' has no attribute {name!r}")
    from rlx.models.flow import Flow

    return Flow


if not TYPE_CHECKING:  # otherwise checkers would take every other name for Any
    __getattr__ = _load
