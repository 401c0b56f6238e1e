"""`jit(f).lower(…)`, `f.executable`, `f.report` and `eval_shape`: a function looked at before and after it runs."""

import jax
import numpy as np
import pytest

import rlx

F32 = np.float32
X = np.arange(1, 7, dtype=F32).reshape(2, 3)
W = np.linspace(-1, 1, 12, dtype=F32).reshape(3, 4)


@pytest.fixture(params=["reference", "cpu"])
def device(request):
    return request.param


def layer(x, w):
    return (x @ w + 1.0) * 2.0


def test_every_level_is_a_text_that_shows_it():
    lowered = rlx.jit(layer).lower(X, W)
    assert "matmul(" in lowered.hir() and lowered.hir() == str(lowered) == lowered.as_text()
    assert "mir @" in lowered.mir() and "plan" not in lowered.mir()
    assert 'plan "cpu"' in lowered.lir() and "command 0" in lowered.lir()
    assert "define" in lowered.llvm() and lowered.as_text("llvm") == lowered.llvm()
    assert ".text" in lowered.asm()
    assert repr(lowered).startswith("<Lowered layer for cpu")


def test_an_unknown_level_and_a_device_without_llvm_are_errors():
    lowered = rlx.jit(layer, device="reference").lower(X, W)
    assert 'plan "reference"' in lowered.lir()
    for text in (lowered.llvm, lowered.asm):
        with pytest.raises(rlx.RlxError, match="RLX403"):
            text()
    with pytest.raises(rlx.RlxError, match=r"RLX406.*'xla'"):
        lowered.as_text("xla")


def test_shapes_stand_for_arrays(device):
    shapes = rlx.ShapeDtypeStruct((2, 3), F32), rlx.ShapeDtypeStruct((3, 4), "f32")
    compiled = rlx.jit(layer, device=device).lower(*shapes).compile()
    np.testing.assert_allclose(compiled(X, W), layer(X, W), rtol=1e-6)
    assert "exe" not in repr(compiled) and "layer" in repr(compiled)
    assert isinstance(compiled.executable, rlx.Executable) and "plan" in compiled.as_text()
    with pytest.raises(rlx.RlxError, match="RLX50"):
        compiled(X.T, W)


def test_symbolic_shapes_are_compiled_once_for_all_sizes(device):
    compiled = rlx.jit(layer, device=device).lower(rlx.ShapeDtypeStruct(("rows", 3), F32), W).compile()
    for rows in (1, 2, 7):
        x = np.ones((rows, 3), F32)
        np.testing.assert_allclose(compiled(x, W), layer(x, W), rtol=1e-6)


def test_a_compiled_function_takes_what_it_was_lowered_for_without_static_arguments(device):
    f = rlx.jit(lambda x, n, *, flag, scale: x**n * scale if flag else x, static_argnums=1, static_argnames="flag", device=device)
    compiled = f.lower(X, 2, flag=True, scale=3.0).compile()
    np.testing.assert_allclose(compiled(X, scale=4.0), X**2 * 4)
    with pytest.raises(rlx.RlxError, match="RLX114"):
        compiled(X, 2, flag=True, scale=3.0)
    with pytest.raises(rlx.RlxError, match=r"RLX105.*compiled for an array"):
        compiled(X, scale="a")


def test_values_that_are_no_arrays_are_those_it_was_lowered_for(device):
    compiled = rlx.jit(lambda x, name: x if name == "a" else -x, device=device).lower(X, "b").compile()
    np.testing.assert_array_equal(compiled(X, "b"), -X)
    with pytest.raises(rlx.RlxError, match=r"RLX105.*'a', compiled for 'b'"):
        compiled(X, "a")


def test_handles_are_read_as_they_are_when_a_compiled_function_is_called(device):
    w = rlx.put(F32([1, 2, 3]))
    compiled = rlx.jit(lambda x: x * w, device=device).lower(X).compile()
    np.testing.assert_array_equal(compiled(X), X * F32([1, 2, 3]))
    w.set(F32([0, 0, 1]))
    np.testing.assert_array_equal(compiled(X), X * F32([0, 0, 1]))


@pytest.mark.parametrize(("m", "k", "n"), [(2, 3, 4), (64, 128, 32)])
def test_cost_counts_the_operations_of_a_product(m, k, n):
    x, w = rlx.ShapeDtypeStruct((m, k), F32), rlx.ShapeDtypeStruct((k, n), F32)
    cost = rlx.jit(lambda x, w: x @ w).lower(x, w).cost()
    assert cost == {"flops": 2 * m * k * n, "bytes": 4 * (m * k + k * n + m * n)}


def test_cost_of_symbolic_sizes_is_an_expression():
    n = rlx.Dim("n")
    cost = rlx.jit(lambda x: x + x, device="reference").lower(rlx.ShapeDtypeStruct((n, 3), F32)).cost()
    assert cost["flops"] == n * 3


def test_lowering_leaves_the_function_as_it_was(device):
    f = rlx.jit(layer, device=device)
    f.lower(X, W).compile()(X, W)
    assert f.traces == 0 and len(f._entries) == 0


# -- after a call -----------------------------------------------------------------------------------------------
def test_executable_is_that_of_the_last_call():
    f = rlx.jit(lambda x: x * 2 + 1)
    with pytest.raises(rlx.RlxError, match="RLX402"):
        _ = f.executable
    f(X)
    first = f.executable
    assert isinstance(first, rlx.Executable) and first.profile({"x": X}, runs=1, limits=False).lines
    f(X.astype(np.float64))
    assert f.executable is not first
    f(X)
    assert f.executable is first


def test_the_report_has_what_was_traced_and_what_was_fused():
    f = rlx.jit(lambda x, w: (x @ w + 1.0) * 2.0)
    assert not f.report.entries
    f(X, W)
    kinds = {entry.kind for entry in f.report}
    assert {"traced", "fused"} <= kinds and "time: total" in str(f.report)
    f.report.add("jit", "traced", "a note of the caller")
    assert "a note of the caller" not in str(f.report)  # a report is a copy


# -- shapes -----------------------------------------------------------------------------------------------------
def test_eval_shape_says_what_jax_says():
    def f(params, x, n):
        h = x @ params["w"] + params["b"][0]
        return {"h": h, "all": [h.sum(), h > 0], "n": x * n, "none": None}

    shapes = lambda struct: ({"w": struct((3, 4), F32), "b": [struct((4,), F32)]}, struct((2, 3), F32))  # noqa: E731
    found = rlx.eval_shape(f, *shapes(rlx.ShapeDtypeStruct), 2)
    wanted = jax.eval_shape(f, *shapes(jax.ShapeDtypeStruct), 2)
    pick = lambda leaf: (tuple(leaf.shape), np.dtype(leaf.dtype))  # noqa: E731
    assert jax.tree.map(pick, found, is_leaf=lambda leaf: isinstance(leaf, rlx.ShapeDtypeStruct)) == jax.tree.map(pick, wanted)


def test_eval_shape_computes_nothing_for_huge_arrays():
    huge = rlx.ShapeDtypeStruct((1 << 20, 1 << 20), F32)
    assert rlx.eval_shape(lambda x: (x @ x).sum(axes=0), huge) == rlx.ShapeDtypeStruct((1 << 20,), F32)


def test_eval_shape_inside_a_trace_sees_values_and_what_is_closed_over(device):
    seen = []

    def f(x):
        seen.append(rlx.eval_shape(lambda y: (y * x, "text", None), rlx.ShapeDtypeStruct((4, 1), F32)))
        seen.append(rlx.eval_shape(lambda y: y.sum(), x))
        return x

    rlx.jit(f, device=device)(F32([1, 2, 3]))
    assert seen == [(rlx.ShapeDtypeStruct((4, 3), F32), "text", None), rlx.ShapeDtypeStruct((), F32)]


def test_a_shape_struct_is_a_value():
    struct = rlx.ShapeDtypeStruct([2, 3], "bf16")
    assert struct.shape == (2, 3) and struct.ndim == 2 and struct.size == 6
    assert struct == rlx.ShapeDtypeStruct((2, 3), rlx.DType.of("bf16")) and hash(struct) == hash(
        rlx.ShapeDtypeStruct((2, 3), "bf16")
    )
    assert np.zeros(struct.shape, struct.dtype).dtype == struct.dtype
    with pytest.raises(rlx.RlxError, match="RLX103"):
        rlx.ShapeDtypeStruct((2,), "f99")
    with pytest.raises(rlx.RlxError, match="RLX105"):
        rlx.ShapeDtypeStruct(3, "f32")
