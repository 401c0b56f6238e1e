"""From a graph to a program: lowering, the command table, object code."""
