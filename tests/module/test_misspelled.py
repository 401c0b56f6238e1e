"""A misspelled method is an AttributeError that names the one that is meant; Python's own protocols are not disturbed."""

import copy
import pickle

import pytest

import rlx
from rlx import Graph, RlxError
from rlx.core.errors import UnknownAttribute

OWNERS = {
    "graph": (lambda: Graph("g"), "softmaxx", "softmax"),
    "module": (lambda: Graph.hir("m"), "linaer", "linear"),
    "value": (lambda: Graph("g").input("x", (2,)), "reshpae", "reshape"),
}


@pytest.mark.parametrize("case", OWNERS)
def test_a_misspelled_method_names_the_one_that_is_meant(case) -> None:
    make, wrong, right = OWNERS[case]
    owner = make()
    with pytest.raises(AttributeError) as caught:
        getattr(owner, wrong)
    assert isinstance(caught.value, RlxError) and caught.value.code == "RLX113"
    assert f"did you mean '{right}'?" in str(caught.value) and "test_misspelled.py" in str(caught.value)


@pytest.mark.parametrize("case", OWNERS)
def test_what_is_not_there_is_found_missing_as_ever(case) -> None:
    owner = OWNERS[case][0]()
    assert not hasattr(owner, "nothing") and getattr(owner, "nothing", 5) == 5
    assert not hasattr(owner, "__cuda_array_interface__") and not hasattr(owner, "_private")
    with pytest.raises(AttributeError) as caught:
        owner.__deepcopy__
    assert not isinstance(caught.value, RlxError)


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda graph: pickle.loads(pickle.dumps(graph))])
def test_a_graph_is_copied(again) -> None:
    g = Graph("g")
    x = g.input("x", ("n",))
    g.set_outputs({"y": g.softmax(x, axis=0)})
    found = again(g.freeze())
    assert str(found) == str(g) and found == g and hash(found) == hash(g)
    assert copy.copy(x).type == x.type


ERRORS = [RlxError("RLX102", "two shapes", fix="one"), UnknownAttribute("RLX113", "no 'x'"), rlx.compat.LowerError("a", 2, 3)]


@pytest.mark.parametrize("error", ERRORS)
def test_errors_go_to_other_processes_whole(error) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error) and str(again) == str(error) and again.code == error.code and again.location == error.location


def test_a_misspelled_name_of_the_package() -> None:
    with pytest.raises(AttributeError, match="did you mean 'compile'"):
        rlx.comple
    assert not hasattr(rlx, "__path_of_nothing__")
