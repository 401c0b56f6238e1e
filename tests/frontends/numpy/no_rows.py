"""Public names without a row in the table, and why."""

from __future__ import annotations

import rlx.numpy as rnp
from rlx.core.dtype import DType

_ELSEWHERE = "test_other_functions.py"
NO_ROW = {
    **{name: "a dtype or a kind of dtypes" for name in rnp.__all__ if isinstance(getattr(rnp, name), (DType, type))},
    **dict.fromkeys(("e", "euler_gamma", "inf", "nan", "newaxis", "pi"), "a constant"),
    **dict.fromkeys(("fft", "linalg"), "a namespace"),
    **dict.fromkeys(("finfo", "iinfo", "can_cast", "isdtype", "issubdtype", "promote_types", "result_type"), _ELSEWHERE),
    **dict.fromkeys(("save", "savez", "load", "fromfile", "fromstring", "frombuffer", "fromiter", "fromfunction"), _ELSEWHERE),
    **dict.fromkeys(("array_repr", "array_str", "printoptions", "set_printoptions", "get_printoptions"), _ELSEWHERE),
    **dict.fromkeys(("r_", "c_", "s_", "index_exp", "mgrid", "ogrid"), _ELSEWHERE),
    **dict.fromkeys(("ndim", "shape", "size", "isscalar", "iterable", "iscomplexobj", "isrealobj"), _ELSEWHERE),
    **dict.fromkeys(("apply_along_axis", "apply_over_axes", "vectorize", "einsum_path", "mask_indices"), _ELSEWHERE),
    **dict.fromkeys(("linalg.eig", "linalg.eigh", "linalg.eigvals", "linalg.svd"), f"up to signs and order: {_ELSEWHERE}"),
    "complex_of": "the parts of complex numbers, tested where they are made",
}
