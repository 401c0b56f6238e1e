"""Models by name: what is on this machine, and downloads from the Hugging Face hub and the Ollama registry."""

from rlx.hub.names import HubName, OllamaName, find_model, parse_name
from rlx.hub.stored import FoundModel, found_models

__all__ = ["FoundModel", "HubName", "OllamaName", "find_model", "found_models", "parse_name"]
