"""Tools for graphs: their text, checks and lowering, symbols, and ops of the user.

>>> import rlx
>>> g = rlx.Graph("double"); x = g.input("x", (4,), "f32"); g.set_outputs({"y": x + x})
>>> rlx.graphs.verify(g)
>>> rlx.graphs.parse(str(g)) == g
True
"""

from typing import TYPE_CHECKING, Any

from rlx.core.dim import sym
from rlx.ir.verify import verify
from rlx.module.parse_and_load import parse
from rlx.ops.control.custom_values import unregister_op

__all__ = ["lower", "parse", "sym", "unregister_op", "verify"]

if TYPE_CHECKING:
    from rlx.runtime.compile import lower as lower
else:

    def __getattr__(name: str) -> Any:
        """`lower`, which alone needs devices."""
        if name == "lower":
            from rlx.runtime.compile import lower

            return lower
        raise AttributeError(f"module 'rlx.graphs' has no attribute {name!r}")
