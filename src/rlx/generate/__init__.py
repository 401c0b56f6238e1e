"""Generation: text from models, conversations, speculative decoding, embeddings."""

from rlx.generate.api import LanguageModel, load_model
from rlx.generate.drafters import Draft, Drafter, HeadDrafter, LookupDrafter, ModelDrafter
from rlx.generate.embed import Embedder
from rlx.generate.engine import Engine
from rlx.generate.results import Generation, Piece, Speculation, Timings
from rlx.generate.runner import Runner
from rlx.generate.sampling import Sampling
from rlx.generate.stream import Stream

__all__ = [
    "Draft",
    "Drafter",
    "Embedder",
    "Engine",
    "Generation",
    "HeadDrafter",
    "LanguageModel",
    "LookupDrafter",
    "ModelDrafter",
    "Piece",
    "Runner",
    "Sampling",
    "Speculation",
    "Stream",
    "Timings",
    "load_model",
]
