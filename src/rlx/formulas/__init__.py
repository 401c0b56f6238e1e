"""Element mathematics, written once over a small algebra that each device implements."""
