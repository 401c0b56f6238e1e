"""docs/trees.md: its programs run and give what they say."""

import re
from pathlib import Path

import numpy as np

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "trees.md").read_text()


def test_programs_run(capsys):
    found = {}
    for program in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        exec(compile(program, "docs/trees.md", "exec"), found)
    printed = capsys.readouterr().out
    assert printed.startswith("['b'][0] (2,)\n['w'] (3, 2)\n")
    assert str(found["structure"]) == "PyTreeDef({'b': [*, None], 'w': *})"
    assert np.abs(found["params"]["w"] - 3).max() < 0.2 and np.abs(found["params"]["b"] - 1).max() < 0.2
