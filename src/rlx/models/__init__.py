"""Models: open-weight models from GGUF files and Hugging Face folders, and the flow they are written with."""

from rlx.models.family import Config, Family, register, supported
from rlx.models.flow import Flow, Shapes
from rlx.models.model import Model, open_model
from rlx.models.profile import Profile
from rlx.models.rope import Rope
from rlx.models.weights import Joined, Mapped, Rows, Weight, per_layer

__all__ = [
    "Config", "Family", "Flow", "Joined", "Mapped", "Model", "Profile", "Rope", "Rows", "Shapes", "Weight", "open_model", "per_layer",
    "register", "supported",
]  # fmt: skip
