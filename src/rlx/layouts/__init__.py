"""How weights lie in memory: blocks of GGUF types, panels, rows side by side. Data that every device reads; decision 0030."""
