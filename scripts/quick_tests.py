"""Runs the tests nearest to a change, within a budget of seconds: `make quick`, or `python scripts/quick_tests.py [--base REF] [--list]`.

What changed is read from git: everything since BASE (by default the merge base with main, or the last commit where nothing differs),
uncommitted and new files too. Test files are ranked by their distance from the changed modules in the graph of imports and by the words
they share with the changed functions; a fixed core and changed tests come first. Of a file that takes long a part is run: tests whose
names share words with the change, and others, evenly spaced. test_seconds.txt says how long each file takes:

    make test ARGS=--junitxml=build/tests.xml; python scripts/quick_tests.py --record build/tests.xml

`--replay 40` prints what the last 40 commits would have taken. `--mutants 30` plants errors of one line in a worktree of its own and
prints which of them the chosen tests catch. Standard library only; this file is also the plugin that leaves tests out.
"""

from __future__ import annotations

import argparse
import ast
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SECONDS = "scripts/test_seconds.txt"
PLAN = "RLX_QUICK_TESTS"  # names the plan's file to the plugin
FOLDERS = ("src", "tests", "bench", "scripts", "examples")
BUDGET = 120.0  # of tests, by the table; two workers take half of it, and their start
PART, NEAR_PART = 8.0, 24.0  # the most a file may take, and one of the nearest three
NEAREST = 3
UNKNOWN, SHORTEST = 3.0, 0.2  # seconds of a file without a record, and the least of any
CORE = {
    "tests/meta/test_layers.py": 2.0,
    "tests/meta/test_public_types.py": 2.0,
    "tests/conformance/test_ops.py": 12.0,
    "tests/golden/test_golden.py": 4.0,
    "tests/golden/test_kernels.py": 6.0,
    "tests/golden/test_bits.py": 6.0,
    "tests/passes/test_pipeline.py": 3.0,
    "tests/runtime/test_jit.py": 4.0,
}
WORD = re.compile(r"[a-zA-Z][a-z]+|[A-Z]{2,}|[a-z]\d+")
DOTTED = re.compile(r"[\w.]+")


# -- the graph of imports ----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Facts:
    """What a Python file names: modules, attributes of `rlx`, words, and names that its imports bind."""

    modules: frozenset[str]
    attributes: frozenset[str]
    words: frozenset[str]
    binds: dict[str, str] = field(hash=False)


def split_words(text: str) -> list[str]:
    """The parts of identifiers, in lower case."""
    return [word.lower() for word in WORD.findall(text)]


@cache
def read_facts(text: str) -> Facts:
    """Facts of a file by its text."""
    modules, attributes, binds = set(), set(), {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            modules.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            modules.update((node.module, *(f"{node.module}.{alias.name}" for alias in node.names)))
            binds.update({alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names})
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "rlx":
            attributes.add(node.attr)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and DOTTED.fullmatch(node.value):
            modules.add(node.value)  # tables name modules that are loaded when first used
    return Facts(frozenset(modules), frozenset(attributes), frozenset(split_words(text)), binds)


def module_name(path: str) -> str:
    """`src/rlx/a/b.py` is rlx.a.b, `tests/a/test_b.py` tests.a.test_b; scripts are imported by their bare names."""
    parts = path.removesuffix("i").removesuffix(".py").split("/")
    parts = parts[1:] if parts[0] in ("src", "scripts") else parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def is_test(path: str) -> bool:
    """Whether pytest collects the file."""
    return path.startswith("tests/") and path.rsplit("/", 1)[-1].startswith("test_") and path.endswith(".py")


class Tree:
    """The Python files of a checkout, and who imports whom."""

    def __init__(self, root: Path) -> None:
        self.root = root
        paths = [path for folder in FOLDERS for path in (root / folder).rglob("*.py") if "__pycache__" not in path.parts]
        self.text = {path.relative_to(root).as_posix(): path.read_text() for path in sorted(paths)}
        self.facts = {path: read_facts(text) for path, text in self.text.items()}
        self.path_of = {module_name(path): path for path in self.text}
        self.tests = [path for path in self.text if is_test(path)]
        public: dict[str, str] = {}
        for path in (root / "src/rlx/__init__.py", root / "src/rlx/__init__.pyi"):
            public |= read_facts(path.read_text()).binds if path.exists() else {}
        self.importers: dict[str, set[str]] = defaultdict(set)
        for path, facts in self.facts.items():
            names = facts.modules | {public[name] for name in facts.attributes & public.keys()}
            for name in names:
                if target := self.find(name):
                    self.importers[target].add(path)
        self.words_in = {path: (self.facts[path].words, frozenset(split_words(path))) for path in self.tests}
        self.counts = [Counter(word for words in self.words_in.values() for word in words[kind]) for kind in (0, 1)]

    def find(self, name: str) -> str | None:
        """The file of a module, or of the module that a name is imported from; all import `rlx` itself, which says nothing."""
        while name and name not in self.path_of:
            name = name.rpartition(".")[0]
        return self.path_of[name] if name not in ("", "rlx", "tests") else None

    def distances(self, changed: Iterable[str]) -> dict[str, int]:
        """For each file that imports a changed one, over how many imports."""
        steps = dict.fromkeys(changed, 0)
        for path in changed:
            if path.endswith("conftest.py"):
                steps.update({test: 1 for test in self.tests if test.startswith(path.removesuffix("conftest.py"))})
        waiting = list(steps)
        for path in waiting:  # grows while it is read: nearest first
            for user in sorted(self.importers[path] - steps.keys()):
                steps[user] = steps[path] + 1
                waiting.append(user)
        return steps

    def rarity(self, word: str, kind: int) -> float:
        """How much a word says: the fewer tests have it in their text (0) or path (1), the more."""
        return math.log((1 + len(self.tests)) / (1 + self.counts[kind][word]))


# -- what changed ------------------------------------------------------------------------------------------------------------------
def git(root: Path, *arguments: str) -> str:
    """What a git command prints."""
    return subprocess.run(["git", "-C", str(root), *arguments], check=True, capture_output=True, text=True).stdout


@dataclass
class Change:
    """Changed files, and the lines of each that are new."""

    lines: dict[str, list[int]]


def read_change(root: Path, base: str, until: str | None = None) -> Change:
    """What differs between two commits, or between one and the working tree."""
    lines: dict[str, list[int]] = {}
    path = ""
    for row in git(
        root, "diff", "-U0", "--no-color", "--no-ext-diff", "--find-renames", base, *([until] if until else [])
    ).splitlines():
        if row.startswith("diff --git "):
            path = row.rpartition(" b/")[2]
            lines[path] = []
        elif row.startswith("@@") and (match := re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", row)):
            first, count = int(match[1]), int(match[2] or 1)
            lines[path].extend(range(first, first + max(count, 1)))
    if until is None:
        lines |= {name: [] for name in git(root, "ls-files", "--others", "--exclude-standard").splitlines()}
    return Change(lines)


def default_base(root: Path) -> str:
    """The merge base with main where it differs from HEAD, or else HEAD; the commit before where nothing is changed."""
    known = subprocess.run(["git", "-C", str(root), "merge-base", "HEAD", "main"], capture_output=True, text=True)
    base = known.stdout.strip() or "HEAD"
    return base if read_change(root, base).lines else f"{base}~1"


def weigh_words(tree: Tree, change: Change) -> Counter[str]:
    """Words of the change: of its paths, of the names of changed functions and classes, and of changed lines."""
    weights: Counter[str] = Counter()

    def add(text: str, weight: float) -> None:
        for word in set(split_words(text)):
            weights[word] = max(weights[word], weight)  # type: ignore[assignment]

    for path, numbers in change.lines.items():
        add(path.removeprefix("src/rlx/").rpartition(".")[0], 2)
        if path not in tree.text or not path.endswith(".py"):
            continue
        text, touched = tree.text[path].splitlines(), set(numbers)
        for number in numbers if len(numbers) < 400 else ():
            add(text[number - 1] if number <= len(text) else "", 1)
        for node in ast.walk(ast.parse(tree.text[path])):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and touched & set(range(node.lineno, (node.end_lineno or 0) + 1)):
                add(node.name, 3)
    return weights


# -- the choice --------------------------------------------------------------------------------------------------------------------
def read_seconds(root: Path) -> dict[str, float]:
    """Seconds by test file."""
    rows = (line.split() for line in (root / SECONDS).read_text().splitlines() if not line.startswith("#"))
    return {path: float(seconds) for seconds, path in rows}


def rank(tree: Tree, change: Change) -> tuple[list[str], Counter[str]]:
    """Test files, the nearest first, and the words of the change."""
    steps, weights = tree.distances(change.lines), weigh_words(tree, change)
    others = [Path(path).name for path in change.lines if not path.endswith(".py")]
    scores = {}
    for path, kinds in tree.words_in.items():
        text, name = (sum(w * tree.rarity(word, k) for word, w in weights.items() if word in kinds[k]) for k in (0, 1))
        near = 1 + 2 / (1 + steps[path]) if path in steps else 1
        scores[path] = (text / (20 + len(kinds[0])) ** 0.4 + name) * near + 100 * any(file in tree.text[path] for file in others)
    return sorted(scores, key=lambda path: -scores[path]), weights


def choose(tree: Tree, change: Change, seconds: dict[str, float], budget: float = BUDGET) -> tuple[dict[str, float], list[str]]:
    """The part of each chosen test file that is run, up to 1, and the words that its tests are chosen by."""
    ranked, weights = rank(tree, change)
    cost = {path: max(seconds.get(path, UNKNOWN), SHORTEST) for path in tree.tests}
    core = {path: min(most, cost[path]) for path, most in CORE.items() if path in cost}
    changed = [path for path in change.lines if path in cost]
    share = min(1.0, max(1.0, budget - sum(core.values())) / (sum(cost[path] for path in changed) or 1.0))
    parts = core | {path: share * cost[path] for path in changed}
    left = budget - sum(parts.values())
    others = [path for path in ranked if path not in parts]
    for index, path in enumerate(others):
        if left < 0.5:
            break
        parts[path] = min(cost[path], left, NEAR_PART if index < NEAREST else PART)
        left -= parts[path]
    chosen = {path: part / cost[path] for path, part in parts.items()}
    return chosen, [word for word, _ in weights.most_common() if tree.rarity(word, 0) > 1.5][:40]


def predict(chosen: dict[str, float], seconds: dict[str, float]) -> float:
    """Seconds of the chosen tests on one worker."""
    return sum(part * seconds.get(path, UNKNOWN) for path, part in chosen.items())


# -- the plugin: of each file its part ---------------------------------------------------------------------------------------------
def choose_tests(names: Sequence[str], part: float, words: Sequence[str]) -> set[int]:
    """Which tests of a file are run: at most half for their names' words, the others evenly spaced."""
    number = max(1, round(part * len(names)))
    if number >= len(names):
        return set(range(len(names)))
    hits = [sum(word in split_words(name) for word in words) for name in names]
    likely = sorted((place for place in range(len(names)) if hits[place]), key=lambda place: -hits[place])
    chosen = set(likely[: (number + 1) // 2])
    others = [place for place in range(len(names)) if place not in chosen]
    step = len(others) / max(1, number - len(chosen))
    return chosen | {others[int(k * step)] for k in range(number - len(chosen))}


def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:
    """Leaves out what the plan leaves out."""
    plan = json.loads(Path(os.environ[PLAN]).read_text()) if PLAN in os.environ else {"parts": {}, "words": []}
    by_file: dict[str, list[Any]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("long") is None:
            by_file[item.nodeid.split("::")[0]].append(item)
    kept = []
    for path, tests in by_file.items():
        places = choose_tests([test.nodeid.partition("::")[2] for test in tests], plan["parts"].get(path, 1.0), plan["words"])
        kept += [tests[place] for place in sorted(places)]
    remaining = {id(item) for item in kept}
    config.hook.pytest_deselected(items=[item for item in items if id(item) not in remaining])
    items[:] = kept


def run_tests(root: Path, chosen: dict[str, float], words: list[str], arguments: Sequence[str], silent: bool = False) -> int:
    """pytest on the chosen tests of a checkout, or on all where none are chosen; its exit status."""
    with tempfile.TemporaryDirectory() as folder:
        plan = Path(folder) / "plan.json"
        plan.write_text(json.dumps({"parts": chosen, "words": words}))
        environment = {**os.environ, PLAN: str(plan), "PYTHONPATH": str(root / "src")}
        command = [sys.executable, "-m", "pytest", "-q", "-p", "scripts.quick_tests", *chosen, *arguments]
        return subprocess.run(command, cwd=root, env=environment, stdout=subprocess.DEVNULL if silent else None).returncode


# -- the table of seconds ----------------------------------------------------------------------------------------------------------
def record(root: Path, reports: Iterable[Path]) -> None:
    """Writes the seconds of JUnit reports into the table; files that are gone leave it."""
    seconds, files = read_seconds(root), set(Tree(root).tests)
    measured: Counter[str] = Counter()
    for report in reports:
        for case in xml.etree.ElementTree.parse(report).iter("testcase"):
            name = case.get("classname", "").replace(".", "/")
            while name and f"{name}.py" not in files:
                name = name.rpartition("/")[0]
            measured[f"{name}.py"] += float(case.get("time", 0))  # type: ignore[assignment]
    rows = {path: value for path, value in {**seconds, **measured}.items() if path in files}
    comment = "# Seconds of each test file on one worker: `python scripts/quick_tests.py --record REPORT.xml` writes them anew."
    (root / SECONDS).write_text("\n".join([comment, *(f"{value:7.1f} {path}" for path, value in sorted(rows.items()))]) + "\n")


# -- how good it is ----------------------------------------------------------------------------------------------------------------
class Worktree:
    """A checkout beside this one, removed at the end; it shares the environment."""

    def __enter__(self) -> Path:
        self.folder = Path(tempfile.mkdtemp(prefix="rlx-quick-"))
        git(ROOT, "worktree", "add", "--quiet", "--detach", str(self.folder / "tree"), "HEAD")
        return self.folder / "tree"

    def __exit__(self, *_: object) -> None:
        git(ROOT, "worktree", "remove", "--force", str(self.folder / "tree"))
        self.folder.rmdir()


def replay(number: int) -> None:
    """What the tests chosen for each of the last commits take, by the table."""
    seconds, totals = read_seconds(ROOT), []
    with Worktree() as root:
        for commit in git(ROOT, "rev-list", "--no-merges", f"--max-count={number}", "HEAD").split():
            git(root, "checkout", "--quiet", "--detach", commit)
            change = read_change(root, f"{commit}~1", commit)
            chosen, _ = choose(Tree(root), change, seconds)
            totals.append(predict(chosen, seconds) / 2)
            title = git(root, "show", "--no-patch", "--format=%h %s", commit).strip()
            print(f"{totals[-1]:6.0f} s on two workers, {len(chosen):3} files  {title[:80]}", flush=True)
    totals.sort()
    print(f"median {totals[len(totals) // 2]:.0f} s, p90 {totals[math.ceil(0.9 * len(totals)) - 1]:.0f} s, most {totals[-1]:.0f} s")


OPERATORS = {
    **{"+": "-", "-": "+", "*": "+", "//": "*", "%": "//", "<<": ">>", ">>": "<<", "&": "|", "|": "&"},
    **{
        "<": "<=",
        "<=": "<",
        ">": ">=",
        ">=": ">",
        "==": "!=",
        "!=": "==",
        "is not": "is",
        "is": "is not",
        "in": "not in",
        "not in": "in",
    },
    **{"and": "or", "or": "and"},
}


def children(value: object) -> list[ast.AST]:
    """The nodes in a field of a node."""
    return [node for node in (value if isinstance(value, list) else [value]) if isinstance(node, ast.AST)]


def list_mutants(text: str) -> Iterator[tuple[int, int, int, str]]:
    """(line, first column, end, new text) of what may be altered: operators, comparisons, whole numbers, truth values, `not`."""
    lines = text.splitlines()

    def between(left: ast.expr, right: ast.expr) -> Iterator[tuple[int, int, int, str]]:
        if left.end_lineno != right.lineno or not lines[left.lineno - 1].isascii():
            return
        gap = lines[right.lineno - 1][left.end_col_offset : right.col_offset]
        if new := OPERATORS.get(gap.strip()):
            first = (left.end_col_offset or 0) + gap.index(gap.strip())
            yield right.lineno, first, first + len(gap.strip()), new

    waiting: list[ast.AST] = [ast.parse(text)]
    while waiting:
        node = waiting.pop()
        waiting.extend(
            child for name, value in ast.iter_fields(node) if name not in ("annotation", "returns") for child in children(value)
        )
        if isinstance(node, ast.BinOp):
            yield from between(node.left, node.right)
        elif isinstance(node, ast.BoolOp):
            yield from between(*node.values[:2])
        elif isinstance(node, ast.Compare):
            yield from between(node.left, node.comparators[0])
        elif isinstance(node, ast.Constant) and type(node.value) in (int, bool) and lines[node.lineno - 1].isascii():
            new = str(node.value + 1 if type(node.value) is int else not node.value)
            yield node.lineno, node.col_offset, node.end_col_offset or 0, new
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not) and lines[node.lineno - 1].isascii():
            yield node.lineno, node.col_offset, node.col_offset + 4, ""


def mutants(number: int, seed: int, full: bool, arguments: Sequence[str]) -> None:
    """Plants errors in lines drawn from the package, one at a time, and says which of them the chosen tests catch.

    With `full`, a missed one counts only when mypy or some test catches it, as `make test` would; that takes the time of all tests.
    """
    drawn, counted, caught = random.Random(seed), 0, 0
    with Worktree() as root:
        tree = Tree(root)
        places = [(path, *mutant) for path in tree.text if path.startswith("src/rlx/") for mutant in list_mutants(tree.text[path])]
        for path, line, first, end, new in drawn.sample(places, len(places)):
            lines = tree.text[path].splitlines(keepends=True)
            old = lines[line - 1].strip()
            lines[line - 1] = lines[line - 1][:first] + new + lines[line - 1][end:]
            (root / path).write_text("".join(lines))
            chosen, words = choose(Tree(root), read_change(root, "HEAD"), read_seconds(root))
            began = time.perf_counter()
            verdict = "caught" if run_tests(root, chosen, words, ["-x", *arguments], silent=True) else "MISSED"
            took = time.perf_counter() - began
            if verdict == "MISSED" and full:
                types = subprocess.run([sys.executable, "-m", "mypy", "--strict", "src"], cwd=root, stdout=subprocess.DEVNULL)
                if not types.returncode and not run_tests(root, {}, [], ["-x", *arguments], silent=True):
                    verdict = "nobody"
            (root / path).write_text(tree.text[path])
            counted, caught = counted + (verdict != "nobody"), caught + (verdict == "caught")
            print(f"{verdict} {took:4.0f} s {path}:{line}: {old} -> {lines[line - 1].strip()}", flush=True)
            if counted == number:
                break
    print(f"{caught} of {counted}")


def main() -> int:
    """Chooses and runs, or one of the other modes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--base", help="the commit to compare with")
    parser.add_argument("--budget", type=float, default=BUDGET, help="seconds of tests, by the table, on one worker")
    parser.add_argument("--list", action="store_true", help="print the choice, run nothing")
    parser.add_argument("--record", nargs="+", type=Path, metavar="REPORT", help="write the table of seconds from JUnit reports")
    parser.add_argument("--replay", type=int, metavar="N", help="what the last N commits would have taken")
    parser.add_argument("--mutants", type=int, metavar="N", help="how many of N planted errors are caught")
    parser.add_argument("--full", action="store_true", help="of the missed ones, count those alone that all tests or mypy catch")
    parser.add_argument("--seed", type=int, default=0, help="of the mutants")
    options, arguments = parser.parse_known_args()
    if options.record:
        record(ROOT, options.record)
    elif options.replay:
        replay(options.replay)
    elif options.mutants:
        mutants(options.mutants, options.seed, options.full, arguments)
    else:
        seconds, change = read_seconds(ROOT), read_change(ROOT, options.base or default_base(ROOT))
        chosen, words = choose(Tree(ROOT), change, seconds, options.budget)
        parts = ", ".join(f"{path} ({part:.0%})" if options.list else path for path, part in chosen.items())
        about = f"about {predict(chosen, seconds) / 2:.0f} s of tests on two workers"
        print(f"{len(change.lines)} changed files, {len(chosen)} test files, {about}: {parts}", flush=True)
        return 0 if options.list else run_tests(ROOT, chosen, words, arguments)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
