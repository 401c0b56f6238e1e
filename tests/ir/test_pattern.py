"""Patterns and rules: what fits, what is captured, and the bookkeeping of a rewrite."""

from __future__ import annotations

import pytest

import rlx
from rlx.ir.op import OPS
from rlx.ir.pattern import Rule, Rules, Uses, op, rewrites
from rlx.ir.verify import verify


def gated(other_reader=False, is_output=False):
    """x·sigmoid(y), the sigmoid read twice or returned where asked."""
    g = rlx.Graph("g")
    x, y = g.input("x", (4,)), g.input("y", (4,))
    act = g.sigmoid(y)
    outputs = {"z": g.mul(x, act)}
    if other_reader:
        outputs["w"] = g.neg(act)
    if is_output:
        outputs["a"] = act
    g.set_outputs(outputs)
    return g


def root(graph, name="mul"):
    return next(node for node in graph.nodes if node.op.name == name)


def test_a_pattern_captures_values_and_nodes():
    g = gated()
    found = op("mul", "left", op("sigmoid", "inner", capture="act")).match(Uses(g), root(g))
    assert found is not None
    assert found["left"] == g.inputs["x"].ref and found["inner"] == g.inputs["y"].ref
    assert found.node("act").op.name == "sigmoid"


def test_operands_in_either_order_only_when_asked():
    g = gated()
    act = op("sigmoid", capture="act")
    assert op("mul", act, "other").match(Uses(g), root(g)) is None
    found = op("mul", act, "other", swaps=True).match(Uses(g), root(g))
    assert found is not None and found["other"] == g.inputs["x"].ref


def test_a_failed_order_leaves_nothing_behind():
    """The first order captures `v`, then fails: the second must be free to capture another."""
    g = rlx.Graph("g")
    x, y = g.input("x", (4,)), g.input("y", (4,))
    g.set_outputs({"z": g.mul(g.exp(x), g.exp(g.neg(y)))})
    found = op("mul", op("exp", op("neg", "v")), op("exp", "w"), swaps=True).match(Uses(g), root(g))
    assert found is not None and found["v"] == g.inputs["y"].ref and found["w"] == g.inputs["x"].ref


@pytest.mark.parametrize(("changes", "fits"), [({}, True), ({"other_reader": True}, False), ({"is_output": True}, False)])
def test_alone_means_one_reader_and_no_output(changes, fits):
    g = gated(**changes)
    assert (op("mul", "x", op("sigmoid", alone=True)).match(Uses(g), root(g)) is not None) is fits


def test_an_update_and_a_body_s_output_leave_the_graph():
    g = rlx.Graph("g")
    state = g.state("s", (4,))
    new = g.neg(state)
    g.set_outputs({"y": g.exp(new)})
    g.updates["s"] = new.ref
    assert new.ref in Uses(g).escapes
    assert op("exp", op("neg", alone=True)).match(Uses(g), root(g, "exp")) is None


def test_one_name_is_one_value():
    g = rlx.Graph("g")
    x, y = g.input("x", (4,)), g.input("y", (4,))
    g.set_outputs({"a": g.mul(x, x), "b": g.mul(x, y)})
    square = op("mul", "v", "v")
    first, second = (node for node in g.nodes if node.op.name == "mul")
    assert square.match(Uses(g), first) is not None and square.match(Uses(g), second) is None
    assert op("mul", "v", "w").match(Uses(g), second, v=y.ref) is None


def test_attributes_families_and_conditions():
    g = rlx.Graph("g")
    x = g.input("x", (4, 5))
    g.set_outputs({"y": g.reduce_sum(x, axes=(1,), keep_dim=True), "z": g.sigmoid(x)})
    total, act = root(g, "reduce_sum"), root(g, "sigmoid")
    assert op("reduce_sum", keep_dim=True, axes=lambda axes: 1 in axes).made_by(total)
    assert not op("reduce_sum", keep_dim=False).made_by(total)
    assert op(family="activation").made_by(act) and not op(family="activation").made_by(total)
    assert op(None, "x", family="reduce").match(Uses(g), total) is not None
    assert not op(where=lambda node: node.shape.rank == 3).made_by(act)


@rewrites(op("neg", op("neg", "x")))
def negate_twice(at, x):
    """neg(neg(x))  ->  x"""
    return x


@rewrites(op("exp", op("neg", "x", alone=True, capture="inner")))
def reciprocal(at, inner, x):
    """exp(neg(x))  ->  div(1, exp(x))        for one reader"""
    return 1.0 / OPS["exp"](x)


def test_rules_see_operands_as_rewritten_or_as_they_were():
    g = rlx.Graph("g")
    x = g.input("x", (4,))
    g.set_outputs({"y": g.neg(g.neg(g.neg(g.neg(x))))})
    made, mapping = Rules(negate_twice).apply(g, "test")
    verify(made)
    assert made.output_refs["y"] == made.inputs["x"].ref
    assert mapping[g.output_refs["y"]] == made.output_refs["y"]
    seen, _ = Rules(negate_twice).apply(g, "test", Uses(g))
    assert seen.output_refs["y"] == seen.inputs["x"].ref


def test_what_a_rule_makes_keeps_the_user_s_line_and_says_who_made_it():
    g = rlx.Graph("g")
    x = g.input("x", (4,))
    g.set_outputs({"y": g.exp(g.neg(x))})
    applied: list[tuple[Rule, object]] = []
    made, _ = Rules(reciprocal).apply(g, "test", Uses(g), applied)
    verify(made)
    assert [rule.name for rule, _ in applied] == ["reciprocal"] and "->" in applied[0][0].docs
    last = made.node(made.output_refs["y"])
    assert last.op.name == "div" and last.origin.made_by == "test"
    assert last.origin.location == g.node(g.output_refs["y"]).origin.location


def test_the_first_rule_that_answers_holds():
    @rewrites(op("neg", "x"))
    def never(at, x):
        """neg(x)  ->  nothing"""
        return None

    @rewrites("neg")
    def drop(at):
        """neg(x)  ->  x"""
        return at.rewriter.value(at.node.refs[0])

    g = rlx.Graph("g")
    g.set_outputs({"y": g.neg(g.input("x", (4,)))})
    made, _ = Rules(never, drop, negate_twice).apply(g, "test")
    assert made.output_refs["y"] == made.inputs["x"].ref


def test_a_condition_without_an_op_name_is_looked_at_in_operands_too():
    g = gated()
    for fits in (True, False):
        pattern = op("mul", "x", op(where=lambda node, fits=fits: fits, capture="act"))
        assert (pattern.match(Uses(g), root(g)) is not None) is fits
    assert op("mul", "x", op(None, op("exp"))).match(Uses(g), root(g)) is None


def test_an_attribute_that_an_op_does_not_have_does_not_fit():
    g = gated()
    assert not op(("mul", "reduce_sum"), keep_dim=True).made_by(root(g))


def test_alone_holds_for_the_root_as_well():
    @rewrites(op("sigmoid", "x", alone=True))
    def drop(at, x):
        """sigmoid(x)  ->  x"""
        return x

    for changes, kept in (({}, False), ({"other_reader": True}, True)):
        g = gated(**changes)
        made, _ = Rules(drop).apply(g, "test", Uses(g))
        assert any(node.op.name == "sigmoid" for node in made.nodes) is kept


def test_a_rule_that_asks_who_reads_a_value_must_be_told():
    g = rlx.Graph("g")
    g.set_outputs({"y": g.exp(g.neg(g.input("x", (4,))))})
    with pytest.raises(rlx.RlxError, match="alone=True") as error:
        Rules(reciprocal).apply(g, "test")
    assert "context.uses(graph)" in str(error.value)
