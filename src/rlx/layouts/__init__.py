"""Memory layouts of weights: blocks of GGUF types, panels, rows side by side. Data that every device reads; decision 0030."""
