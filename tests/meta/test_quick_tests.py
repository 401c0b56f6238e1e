"""How `make quick` chooses tests: the graph of imports, words, seconds, and parts of long files."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import quick_tests  # noqa: E402

FILES = {
    "src/rlx/__init__.py": "from rlx.api import compile\n",
    "src/rlx/api.py": "import rlx.passes.fold\n",
    "src/rlx/passes/fold.py": "def fold_constants(graph):\n    return graph\n\n\ndef merge_casts(graph):\n    return graph\n",
    "src/rlx/serve/page.html": "<p>\n",
    "tests/test_api.py": "import rlx\n\nrlx.compile\n",
    "tests/passes/test_fold.py": "from rlx.passes.fold import fold_constants, merge_casts\n",
    "tests/passes/test_other.py": "import numpy\n",
    "tests/serve/test_page.py": "PAGE = 'page.html'\n",
}


@pytest.fixture
def tree(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return quick_tests.Tree(tmp_path)


def test_distances_follow_imports_and_public_names(tree):
    steps = tree.distances(["src/rlx/passes/fold.py"])
    assert steps["tests/passes/test_fold.py"] == 1
    assert steps["tests/test_api.py"] == 2  # by rlx.compile, which is rlx.api's
    assert "tests/passes/test_other.py" not in steps


def test_the_nearest_come_first_within_the_budget(tree):
    seconds = dict.fromkeys(tree.tests, 1.0)
    change = quick_tests.Change({"src/rlx/passes/fold.py": [2]})
    assert next(iter(quick_tests.choose(tree, change, seconds)[0])) == "tests/passes/test_fold.py"
    assert list(quick_tests.choose(tree, change, seconds, budget=1.2)[0]) == ["tests/passes/test_fold.py"]
    assert "fold" in quick_tests.weigh_words(tree, change) and "merge" not in quick_tests.weigh_words(tree, change)


def test_changed_tests_run_in_full_and_readers_of_other_files_come_first(tree):
    change = quick_tests.Change({"tests/passes/test_other.py": [1], "src/rlx/serve/page.html": [1]})
    seconds = {**dict.fromkeys(tree.tests, 1000.0), "tests/passes/test_other.py": 50.0}
    chosen, _ = quick_tests.choose(tree, change, seconds)
    assert (
        list(chosen)[:2] == ["tests/passes/test_other.py", "tests/serve/test_page.py"] and chosen["tests/passes/test_other.py"] == 1
    )
    assert quick_tests.predict(chosen, seconds) <= quick_tests.BUDGET


def test_of_a_long_file_likely_tests_and_others_are_run():
    names = [f"test_op[{name}]" for name in ("add", "sub", "mul", "qr_wide", "div", "exp", "log", "qr_tall", "sin", "cos")]
    chosen = quick_tests.choose_tests(names, 0.4, ["qr"])
    assert len(chosen) == 4 and {3, 7} <= chosen
    assert quick_tests.choose_tests(names, 1.0, []) == set(range(10))


def test_a_change_is_what_differs_and_what_is_new(tmp_path):
    def git(*arguments):
        return subprocess.run(["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b", *arguments], check=True)

    git("init", "-q", "-b", "main")
    (tmp_path / "a.py").write_text("one\ntwo\nthree\n")
    git("add", ".")
    git("commit", "-q", "-m", "a")
    (tmp_path / "a.py").write_text("one\n2\nthree\nfour\n")
    (tmp_path / "b.py").write_text("new\n")
    assert quick_tests.read_change(tmp_path, "HEAD").lines == {"a.py": [2, 4], "b.py": []}
    assert quick_tests.default_base(tmp_path) == git_output(tmp_path, "rev-parse", "HEAD")


def git_output(folder, *arguments):
    return subprocess.run(["git", "-C", str(folder), *arguments], check=True, capture_output=True, text=True).stdout.strip()


def test_mutants_alter_one_place_of_code():
    text = "def f(x: int | None, *, y=True) -> int | None:\n    return x + 1 if not y else x\n"
    lines = text.splitlines()
    altered = {lines[line - 1][:first] + new + lines[line - 1][end:] for line, first, end, new in quick_tests.list_mutants(text)}
    assert altered == {
        "def f(x: int | None, *, y=False) -> int | None:",
        "    return x - 1 if not y else x",
        "    return x + 2 if not y else x",
        "    return x + 1 if y else x",
    }


def test_seconds_are_read_from_reports(tree, tmp_path):
    (tmp_path / "scripts").mkdir()
    (tmp_path / quick_tests.SECONDS).write_text("# comment\n    9.0 tests/test_api.py\n    2.0 tests/test_gone.py\n")
    cases = [("tests.passes.test_fold.TestClass", "1.5"), ("tests.passes.test_fold", "1")]
    cases = "".join(f'<testcase classname="{name}" name="a" time="{time}"/>' for name, time in cases)
    (tmp_path / "report.xml").write_text(f"<testsuites><testsuite>{cases}</testsuite></testsuites>")
    quick_tests.record(tmp_path, [tmp_path / "report.xml"])
    assert quick_tests.read_seconds(tmp_path) == {"tests/test_api.py": 9.0, "tests/passes/test_fold.py": 2.5}


def test_the_core_exists_and_the_plugin_leaves_tests_out(tmp_path):
    assert all((ROOT / path).is_file() for path in quick_tests.CORE)
    name = "tests/meta/test_release.py"
    (tmp_path / "plan.json").write_text(f'{{"parts": {{"{name}": 0.01}}, "words": []}}')
    command = [sys.executable, "-m", "pytest", "-q", "--collect-only", "-p", "scripts.quick_tests", "-p", "no:cacheprovider", name]
    environment = {**os.environ, quick_tests.PLAN: str(tmp_path / "plan.json")}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0 and "1/10 tests" in done.stdout, done.stdout + done.stderr
