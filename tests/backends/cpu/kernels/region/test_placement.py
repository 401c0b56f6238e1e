"""Where a region writes: past the caches or not, over its operands or not; what it refuses; and other machines."""

from typing import Any

import numpy as np
import pytest

from rlx.backends.cpu.emit.kernel import Tensor
from rlx.backends.cpu.kernels.region import schedule as region_plan
from rlx.backends.cpu.kernels.region.region import lower_region
from rlx.backends.cpu.target import Target
from rlx.core.shape import Shape
from rlx.ir.op import OPS
from tests.backends.cpu.kernels.region.region_bodies import BATCH, compiled, draw, layer_norm, region, softmax
from tests.backends.cpu.levels import HOST

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


@pytest.mark.parametrize("shift", [0, 1, 8])
def test_streaming_stores(shift: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Results written past the caches, aligned or not, have the same numbers."""
    x = draw((37, 72))

    def results() -> list[np.ndarray]:
        found = []
        for make in (softmax, OPS["tanh"], lambda x: softmax(x, 0)):
            kernel, _ = compiled(make, [Shape((37, 72))])
            found += kernel.call([x], shift=4 * shift)
        return found

    plain = results()
    monkeypatch.setattr(region_plan, "STREAMED_BYTES", 1)
    for a, b in zip(plain, results(), strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize(
    "make", [softmax, lambda x: softmax(x, 0), lambda x: OPS["gelu"](x) + 1.0, lambda x: layer_norm(x, 2.0, 0.5)]
)
def test_in_place(make: Any) -> None:
    x = draw((50, 70))
    kernel, _ = compiled(make, [Shape(x.shape)])
    assert (0, 0) in kernel.lowering.in_place
    (expected,) = kernel.call([x])
    shared = x.copy()
    kernel.call([shared], into=[shared])
    np.testing.assert_array_equal(shared, expected)


def test_in_place_beside_a_sum_over_long_rows() -> None:
    """Two stages: each chunk writes where it has read, and the totals come from the chunks' own sums."""

    def make(x: Any, y: Any) -> Any:
        return x * 2.0 + y, OPS["reduce_sum"](x * x, axes=(0, 1), keep_dim=True)

    x, y = draw((3, 70001)), draw((3, 70001))
    kernel, _ = compiled(make, [Shape(x.shape), Shape(y.shape)])
    assert len(kernel.lowering.stages) == 2 and kernel.lowering.in_place == ((0, 0), (1, 0))
    expected = kernel.call([x, y])
    np.testing.assert_allclose(expected[1], (x.astype(np.float64) ** 2).sum(keepdims=True), rtol=1e-5)
    for place in (0, 1):
        shared, total = (x, y)[place].copy(), np.empty_like(expected[1])
        kernel.call([shared if i == place else array for i, array in enumerate((x, y))], into=[shared, total])
        np.testing.assert_array_equal(shared, expected[0])
        np.testing.assert_array_equal(total, expected[1])


def test_in_place_is_not_offered_when_it_would_be_wrong() -> None:
    def early(x: Any) -> Any:  # the first result is written while x is still read
        return x * 2.0, x - OPS["reduce_sum"](x, axes=1, keep_dim=True)

    kernel, _ = compiled(early, [Shape((5, 30))])
    assert kernel.lowering.in_place == ((0, 1),)
    kernel, _ = compiled(lambda x, y: x + y, [Shape((5, 30)), Shape((30,))])
    assert kernel.lowering.in_place == ((0, 0),)
    kernel, _ = compiled(lambda x: OPS["cast"](x, to="i32"), [Shape((5, 30))])
    assert kernel.lowering.in_place == ()


def test_reasons() -> None:
    def refused(make: Any, *shapes: Shape) -> str:
        _, op = region(make, shapes)
        inputs = tuple(Tensor.dense(shape) for shape in shapes)
        outputs = tuple(Tensor.dense(op["body"].shape(ref)) for ref in op["body"].output_refs.values())
        reason = lower_region(op, inputs, outputs, HOST)
        assert isinstance(reason, str)
        return reason

    x = Shape((4, 6))
    assert "different axes" in refused(lambda x: (OPS["reduce_sum"](x, axes=0), OPS["reduce_sum"](x, axes=1)), x)
    assert "some of the axes" in refused(lambda x, y: (x + y, y * 2.0), x, Shape((6,)))
    assert "reshape" in refused(lambda x: x.reshape((24,)) + 1.0, x)
    assert "not elementwise" in refused(lambda x: x.transpose(1, 0) + 1.0, x)
    assert "complex" in refused(lambda x: x * x, Shape((3,), "c64"))


# -- other machines ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["x86_64-avx512", "x86_64-avx2", "x86_64-sse4", "aarch64", "aarch64-apple"])
def test_cross_compiles(name: str) -> None:
    target = Target.named(name)
    shapes = [Shape((BATCH, 100)), Shape((100,), "bf16")]

    def make(x: Any, g: Any) -> Any:
        return softmax(x) * OPS["cast"](g, to="f32"), OPS["reduce_any"](x > 1.0, axes=1)

    for body in (make, lambda x, g: softmax(x, 0) + g):
        kernel, _ = compiled(body, shapes, target)
        assert all(len(stage.object) > 500 for stage in kernel.stages)
