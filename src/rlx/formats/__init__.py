"""Model file formats: GGUF, safetensors, and Hugging Face folders."""
