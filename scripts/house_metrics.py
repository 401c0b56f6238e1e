"""Counts what makes the sources large or hard to read: `python scripts/house_metrics.py [ROOT] [--list NAME | --check | --lower]`.

Prints a row per measure: today's number, its limit, and the target. `--list NAME` prints the offenders of a measure. `--check` (part
of `make lint`) fails when a number is above its limit in house_limits.txt; `--lower` lowers the limits to today's numbers and never
raises one. Standard library only; each file under src/rlx is read and parsed once.
"""

from __future__ import annotations

import argparse
import ast
import re
import subprocess
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIMITS = "scripts/house_limits.txt"
COLUMNS = 132  # a longer line of a table or a page counts as several
LONGEST_FILE, LONGEST_FUNCTION, SMALL_FILE = 800, 50, 100

BRANCHES = (ast.If, ast.IfExp, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.comprehension, ast.Assert, ast.match_case)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
IMPORTS = (ast.Import, ast.ImportFrom)
ENDINGS = r"\w+ed|kept|drawn|known|held|found|made|given|taken|written|chosen|sent|woven|shown|told|built|laid|won"
PARTICIPLE = re.compile(rf"_(?:\w+_)?(?:{ENDINGS})$")
PLAIN_ED = set(
    re.findall(r"\w+", "need feed seed speed embed shed red bed unused fixed quantized signed indeed exceed proceed is_sorted")
)
PRIVATE_WORDS = re.findall(
    r"\w+",
    "found place places turned kept loud quiet Eight rests weaves woven soften works wanted given whole heat mass most least",
)
STAR = re.compile(r"^from\s+([\w.]+)\s+import\s+\*", re.MULTILINE)


@dataclass(frozen=True)
class Function:
    """A function of a module, at any depth."""

    name: str
    line: int
    lines: int
    complexity: int
    statements: int  # its docstring left out
    at_top: bool
    decorated: bool


def complexity(function: ast.AST) -> int:
    """McCabe's number; nested functions are counted apart."""
    total, waiting = 1, list(ast.iter_child_nodes(function))
    while waiting:
        node = waiting.pop()
        if isinstance(node, (*FUNCTIONS, ast.Lambda, ast.ClassDef)):
            continue
        total += isinstance(node, BRANCHES)
        total += len(node.values) - 1 if isinstance(node, ast.BoolOp) else 0
        total += len(node.ifs) if isinstance(node, ast.comprehension) else 0
        waiting.extend(ast.iter_child_nodes(node))
    return total


def walk(tree: ast.Module) -> Iterator[tuple[ast.AST, bool, bool]]:
    """Each node below a module, whether it is inside a function, and whether importing the module executes it."""
    waiting: list[tuple[ast.AST, bool, bool]] = [(tree, False, True)]
    while waiting:
        node, inner, executed = waiting.pop()
        yield node, inner, executed
        if isinstance(node, FUNCTIONS):
            inner, executed = True, False
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            executed = False
        waiting.extend((child, inner, executed) for child in ast.iter_child_nodes(node))


def imported_names(node: ast.Import | ast.ImportFrom) -> list[tuple[str, str]]:
    """(module, name in it or nothing) for each name of an import statement."""
    if isinstance(node, ast.Import):
        return [(alias.name, "") for alias in node.names]
    return [(node.module, alias.name) for alias in node.names] if node.level == 0 and node.module else []


class Module:
    """What the measures need to know of one Python file."""

    def __init__(self, path: Path, text: str, name: str, where: str) -> None:
        self.path, self.text, self.name, self.where = path, text, name, where
        self.tree = ast.parse(text)
        self.lines = text.count("\n")
        self.functions: list[Function] = []
        self.docstrings: list[tuple[str, ast.AST]] = []
        self.imports: list[tuple[str, str, bool]] = []  # module, name, executed by importing this one
        self.inner_imports: list[int] = []
        self.assigned: dict[str, list[int]] = defaultdict(list)
        self.uses: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter(blank=sum(not line.strip() for line in text.splitlines()))
        for node, inner, executed in walk(self.tree):
            self._add(node, inner, executed)

    def _add(self, node: ast.AST, inner: bool, executed: bool) -> None:
        if isinstance(node, ast.Name):
            self.uses[node.id] += 1
            if isinstance(node.ctx, ast.Store):
                self.assigned[node.id].append(node.lineno)
        elif isinstance(node, ast.Attribute):
            self.uses[node.attr] += 1
        elif isinstance(node, IMPORTS):
            self.imports.extend((module, name, executed) for module, name in imported_names(node))
            self.inner_imports.extend([node.lineno] if inner else [])
            self.kinds["import"] += node.end_lineno - node.lineno + 1
        if isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.Module)) and (text := ast.get_docstring(node)) is not None:
            self.kinds["docstring"] += node.body[0].end_lineno - node.body[0].lineno + 1
            self.docstrings.append((text, node))
        if isinstance(node, FUNCTIONS):
            statements = len(node.body) - (ast.get_docstring(node) is not None)
            lines = node.end_lineno - node.lineno + 1
            top = node in self.tree.body
            self.functions.append(
                Function(node.name, node.lineno, lines, complexity(node), statements, top, bool(node.decorator_list))
            )

    def at(self, line: int) -> str:
        """Path and line, for people."""
        return f"{self.where}:{line}"


def source_files(root: Path) -> list[Path]:
    """The files of src/rlx; where git knows the tree, those it ignores are left out."""
    folder = root / "src" / "rlx"
    command = ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard", "src/rlx"]
    listed = subprocess.run(command, capture_output=True, text=True) if (root / ".git").exists() else None
    if listed is not None and listed.returncode == 0:
        paths: Iterable[Path] = (root / name for name in listed.stdout.split("\0") if name)
    else:
        paths = (path for path in folder.rglob("*") if "__pycache__" not in path.parts)
    return sorted(path for path in paths if path.is_file())


class Sources:
    """Every file of the package. Each measure returns its offenders, or a number."""

    def __init__(self, root: Path) -> None:
        self.folder = root / "src" / "rlx"
        self.lengths: dict[str, int] = {}
        self.modules: list[Module] = []
        self.typed_text: list[str] = []
        for path in source_files(root):
            where = path.relative_to(self.folder).as_posix()
            data = path.read_bytes()
            if path.suffix not in (".py", ".pyi"):  # a table may stand in one long line
                self.lengths[where] = max(data.count(b"\n"), -(-len(data) // COLUMNS))
                continue
            text = data.decode()
            self.lengths[where] = text.count("\n")
            self.typed_text.append(text)
            if path.suffix == ".py":
                parts = path.relative_to(root / "src").with_suffix("").parts
                self.modules.append(Module(path, text, ".".join(parts[:-1] if parts[-1] == "__init__" else parts), where))
        self.by_name = {module.name: module for module in self.modules}

    def list_functions(self) -> Iterator[tuple[Module, Function]]:
        """Each function with its module."""
        return ((module, function) for module in self.modules for function in module.functions)

    @cached_property
    def importers(self) -> dict[str, set[str]]:
        """Who may import a module, in a function too: `from a import b` counts for `a` and for `a.b`."""
        importers: dict[str, set[str]] = defaultdict(set)
        for module in self.modules:
            for other, name, _ in module.imports:
                for target in (other, f"{other}.{name}"):
                    if target != module.name:
                        importers[target].add(module.name)
        return importers

    def count_lines(self) -> int:
        """Lines of every file; a line of more than 132 characters outside Python counts as several."""
        return sum(self.lengths.values())

    def count_files(self) -> int:
        """Files of any kind."""
        return len(self.lengths)

    def long_files(self) -> list[str]:
        """Files of more than 800 lines."""
        return [f"{where} {lines}" for where, lines in self.lengths.items() if lines > LONGEST_FILE]

    def import_cycles(self) -> list[str]:
        """Modules in a cycle of imports, or between two cycles; imports inside functions and for checkers alone are not followed."""
        targets = {
            module.name: {
                target
                for other, name, executed in module.imports
                if executed and (target := f"{other}.{name}" if f"{other}.{name}" in self.by_name else other) in self.by_name
            }
            for module in self.modules
        }
        size = -1
        while size != len(targets):  # nobody imports it, or it imports nobody: in no cycle
            size = len(targets)
            imported = set().union(*targets.values())
            targets = {name: others for name, others in targets.items() if others and name in imported}
            targets = {name: others & targets.keys() for name, others in targets.items()}
        return [f"{name} -> {', '.join(sorted(others))}" for name, others in sorted(targets.items())]

    def one_neighbour(self) -> list[str]:
        """Files of at most 100 lines that only one module imports, which is in the same folder."""
        rows = []
        for module in self.modules:
            users = self.importers[module.name]
            if module.path.name == "__init__.py" or module.lines > SMALL_FILE or len(users) != 1:
                continue
            user = self.by_name[next(iter(users))]
            if user.path.parent == module.path.parent and user.path.name != "__init__.py":
                rows.append(f"{module.where} ({module.lines}) <- {user.path.name} ({user.lines})")
        return rows

    def long_functions(self) -> list[str]:
        """Functions of more than 50 lines."""
        return [f"{m.at(f.line)} {f.name} {f.lines}" for m, f in self.list_functions() if f.lines > LONGEST_FUNCTION]

    def complex_functions(self, limit: int) -> list[str]:
        """Functions of a greater McCabe number, the greatest first."""
        rows = sorted(self.list_functions(), key=lambda row: -row[1].complexity)
        return [f"{f.complexity} {m.at(f.line)} {f.name}" for m, f in rows if f.complexity > limit]

    def participles(self) -> list[str]:
        """Functions named by a participle, which says what comes out; a verb says what is done."""
        return [
            f"{m.at(f.line)} {f.name}"
            for m, f in self.list_functions()
            if PARTICIPLE.match(f"_{f.name.removeprefix('_')}")
            and f.name.strip("_").split("_")[-1] not in PLAIN_ED
            and not f.name.startswith(("is_", "has_", "_is_", "__"))
        ]

    def assigned(self, word: str) -> list[str]:
        """Places where a variable of that name is bound."""
        return [module.at(line) for module in self.modules for line in module.assigned.get(word, ())]

    def twin_docstrings(self, prefix: str, depth: int) -> list[str]:
        """Docstrings that stand word for word in two files, or with a depth, in two folders at that depth."""
        where: dict[str, set[str]] = defaultdict(set)
        for module in self.modules:
            if module.where.startswith(prefix):
                for text, node in module.docstrings:
                    if len(text) > 25 and not isinstance(node, ast.Module):
                        where[text].add("/".join(module.where.split("/")[:depth]) if depth else module.where)
        return [f"{text.splitlines()[0][:90]!r}: {', '.join(sorted(files))}" for text, files in where.items() if len(files) > 1]

    def all_lists(self) -> list[str]:
        """`__all__` in modules that are no package and that nobody star-imports."""
        starred = {name for module in self.modules for name in STAR.findall(module.text)}
        return [
            module.at(node.lineno)
            for module in self.modules
            if module.path.name != "__init__.py" and module.name not in starred
            for node in module.tree.body
            if isinstance(node, (ast.Assign, ast.AnnAssign))
            and any(
                isinstance(target, ast.Name) and target.id == "__all__"
                for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
            )
        ]

    def count_text(self, pattern: str) -> int:
        """How often a pattern stands in the Python files and their stubs."""
        return sum(len(re.findall(pattern, text)) for text in self.typed_text)

    def shared_privates(self) -> list[str]:
        """Private functions of one name at the top of more than four modules."""
        where: dict[str, list[str]] = defaultdict(list)
        for module, function in self.list_functions():
            if function.at_top and function.name.startswith("_") and not function.name.startswith("__"):
                where[function.name].append(module.where)
        rows = sorted(where.items(), key=lambda row: -len(row[1]))
        return [f"{name} x{len(files)}: {', '.join(files)}" for name, files in rows if len(files) > 4]

    def used_once(self) -> list[str]:
        """Private functions of at most two statements that their module names once besides the definition."""
        return [
            f"{m.at(f.line)} {f.name} {f.lines}"
            for m, f in self.list_functions()
            if f.at_top and f.name.startswith("_") and m.uses[f.name] == 1 and f.statements <= 2 and not f.decorated
        ]

    def twice_named_files(self) -> list[str]:
        """Names of modules (not `__init__`) in two or more folders."""
        names = Counter(module.path.stem for module in self.modules if module.path.stem != "__init__")
        return [f"{name} x{count}" for name, count in names.most_common() if count > 1]

    def inner_imports(self) -> list[str]:
        """Imports inside functions."""
        return [module.at(line) for module in self.modules for line in module.inner_imports]

    def measure(self) -> dict[str, list[str] | int]:
        """Every measure by its name."""
        return {
            "lines": self.count_lines(),
            "files": self.count_files(),
            "files > 800 lines": self.long_files(),
            "modules in import cycles": self.import_cycles(),
            "one-neighbour files <= 100 lines": self.one_neighbour(),
            "functions > 50 lines": self.long_functions(),
            "complexity > 15": self.complex_functions(15),
            "complexity > 25": self.complex_functions(25),
            "participle-named functions": self.participles(),
            "`found` assignments": self.assigned("found"),
            "docstrings in two backends": self.twin_docstrings("backends/", 2),
            "docstrings in two files": self.twin_docstrings("", 0),
            "__all__ outside packages": self.all_lists(),
            "Any": self.count_text(r"\bAny\b"),
            "type: ignore": self.count_text("type: ignore"),
            "private names in > 4 modules": self.shared_privates(),
            "imports inside functions": self.inner_imports(),
            "file names used twice or more": self.twice_named_files(),
            "helpers <= 2 statements used once": self.used_once(),
        }

    def print_words(self) -> None:
        """Prints lines by kind, and how often a word of our own is bound to a value."""
        kinds = sum((module.kinds for module in self.modules), Counter())
        for module in self.modules:
            with tokenize.open(module.path) as handle:
                tokens = tokenize.generate_tokens(handle.readline)
                kinds["comment"] += sum(token.type == tokenize.COMMENT and token.line.strip().startswith("#") for token in tokens)
        print("lines by kind:", ", ".join(f"{kind} {count:,}" for kind, count in kinds.most_common()))
        print("private words:", ", ".join(f"{word} {len(self.assigned(word))}" for word in PRIVATE_WORDS))


# -- the limits --------------------------------------------------------------------------------------------------------------------
@dataclass
class Row:
    """A line of house_limits.txt."""

    limit: int
    target: int


def count(measured: list[str] | int) -> int:
    """The number of a measure."""
    return len(measured) if isinstance(measured, list) else measured


def read_limits(path: Path) -> tuple[list[str], dict[str, Row]]:
    """The comments at the top of the table, and its rows."""
    lines = path.read_text().splitlines()
    rows = (line.replace(",", "").rsplit(None, 2) for line in lines if line and not line.startswith("#"))
    return [line for line in lines if line.startswith("#")], {name: Row(int(limit), int(target)) for name, limit, target in rows}


def format_row(name: str, *numbers: int) -> str:
    """A name and its numbers in columns."""
    return f"{name:38}" + "".join(f"{number:>11,}" for number in numbers)


def lower(path: Path, numbers: dict[str, int]) -> list[str]:
    """Writes the limits anew where a number has fallen; returns the measures whose limit fell."""
    comments, rows = read_limits(path)
    fallen = [name for name, row in rows.items() if numbers[name] < row.limit]
    for name in fallen:
        rows[name].limit = numbers[name]
    path.write_text("\n".join([*comments, *(format_row(name, row.limit, row.target) for name, row in rows.items())]) + "\n")
    return fallen


def main(arguments: list[str] | None = None) -> int:
    """Prints, checks or lowers."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", nargs="?", type=Path, default=ROOT)
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--list", metavar="NAME", help="print the offenders of a measure")
    choice.add_argument("--check", action="store_true", help="fail when a number is above its limit")
    choice.add_argument("--lower", action="store_true", help="lower the limits to today's numbers")
    options = parser.parse_args(arguments)
    sources = Sources(options.root)
    measured = sources.measure()
    if options.list:
        offenders = measured[options.list]
        print("\n".join(offenders) if isinstance(offenders, list) else offenders)
        return 0
    numbers = {name: count(value) for name, value in measured.items()}
    if options.lower:
        print("lowered:", ", ".join(lower(options.root / LIMITS, numbers)) or "nothing")
        return 0
    _, rows = read_limits(options.root / LIMITS)
    above = [name for name, number in numbers.items() if number > rows[name].limit]
    if options.check:
        for name in above:
            print(f"{name}: {numbers[name]:,}, the limit is {rows[name].limit:,} (scripts/house_metrics.py --list {name!r})")
        return 1 if above else 0
    print(f"{'':38}{'today':>11}{'limit':>11}{'target':>11}")
    for name, number in numbers.items():
        print(format_row(name, number, rows[name].limit, rows[name].target))
    sources.print_words()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
