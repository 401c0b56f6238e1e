"""Files that models come in: GGUF, safetensors, and folders of Hugging Face."""
