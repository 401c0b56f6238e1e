"""The server, `rlx serve`: HTTP in the words of OpenAI's, Anthropic's and Ollama's APIs around `rlx.generate.Engine`."""
