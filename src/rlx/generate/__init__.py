"""Generation: text from models, conversations, speculative decoding, embeddings."""

from rlx.generate.api import LanguageModel, load_model
from rlx.generate.drafters import Draft, Drafter, HeadDrafter, LookupDrafter, ModelDrafter
from rlx.generate.engine import Engine, EngineStats, SlotStats, Stream
from rlx.generate.engine.embedding import Embedder
from rlx.generate.grammar import Grammar, json_schema, lark, regex
from rlx.generate.grammar_state import GrammarState
from rlx.generate.results import Generation, Piece, Speculation, Timings
from rlx.generate.runner import Runner
from rlx.generate.sampling_settings import Sampling

__all__ = [
    "Draft",
    "Drafter",
    "Embedder",
    "Engine",
    "EngineStats",
    "Generation",
    "Grammar",
    "GrammarState",
    "HeadDrafter",
    "LanguageModel",
    "LookupDrafter",
    "ModelDrafter",
    "Piece",
    "Runner",
    "Sampling",
    "SlotStats",
    "Speculation",
    "Stream",
    "Timings",
    "json_schema",
    "lark",
    "load_model",
    "regex",
]
