"""What a record is written with: `define` and the words it takes."""

from typing import Any

import numpy.typing as npt

from rlx.core.dim import Size as Size
from rlx.core.dtype import DType as DType
from rlx.core.enums import Choice as Choice
from rlx.core.enums import OpKind as OpKind
from rlx.core.shape import Shape as Shape
from rlx.ir.attributes import Attr as Attr
from rlx.ir.op import OPS as OPS
from rlx.ir.op import Call as Call
from rlx.ir.op import Op as Op
from rlx.ir.op import OpDef as OpDef
from rlx.ir.op import define as define
from rlx.ir.tolerance import Case as Case
from rlx.ir.tolerance import Sample as Sample
from rlx.ir.tolerance import case as case
from rlx.ir.tolerance import exact as exact
from rlx.ir.tolerance import sample as sample
from rlx.ir.value import Value as Value
from rlx.ir.value import as_dtype as as_dtype

Array = npt.NDArray[Any]
