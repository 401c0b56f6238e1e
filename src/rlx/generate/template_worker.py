"""The process that renders chat templates: `python -I -S template_worker.py BYTES FOLDER…`, a request in, an answer out, until input ends.

A template is a program by whoever made the model's file, so it meets three barriers:
- jinja2's sandbox, where attributes come from a list;
- an audit hook: whatever Python reports to it (files, sockets, processes, imports, compilation) is refused while a template renders;
- limits of the operating system, set before the first request: no new file descriptor, hence no file and no socket; no process, no
  written byte; bounded memory; and for each rendering, CPU time. Exceeding the last ends the process (`template.py` starts another).
It imports jinja2 and nothing of this package: it starts in some 40 ms.
"""

from __future__ import annotations

import faulthandler
import json
import marshal
import os
import signal
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from functools import lru_cache
from typing import IO, Any

if __name__ == "__main__":
    sys.path += sys.argv[2:]  # the folders of jinja2 and markupsafe

from jinja2 import Template, TemplateError, ext, nodes, runtime
from jinja2.exceptions import SecurityError
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Namespace

COMPLAINT = 1000  # characters of an error message
_TEXT_METHODS = (
    "capitalize casefold count endswith find format index isalnum isalpha isascii isdecimal isdigit islower isnumeric isspace istitle "
    "isupper join lower lstrip partition removeprefix removesuffix replace rfind rindex rpartition rsplit rstrip split splitlines "
    "startswith strip swapcase title upper"
)
_OF_LOOPS = "changed cycle depth depth0 first index index0 last length nextitem previtem revindex revindex0"
ATTRIBUTES = (
    *((str, _TEXT_METHODS), (dict, "get items keys values"), (list, "count index")),
    *((tuple, "count index grouper list"), (runtime.LoopContext, _OF_LOOPS)),  # the filter `groupby` gives tuples with names
)
"""What templates read of each kind of data."""


# -- jinja2, set up as Hugging Face does ------------------------------------------------------------------------------
class Sandbox(ImmutableSandboxedEnvironment):
    """jinja2 environment without access to Python and without mutation."""

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Returns whether a template may read an attribute: a listed one, or any name of a namespace."""
        names = next((names for kind, names in ATTRIBUTES if isinstance(obj, kind)), "")
        return (attr in names.split() or isinstance(obj, Namespace)) and super().is_safe_attribute(obj, attr, value)

    def handle_exception(self, source: str | None = None) -> Any:
        """Re-raises a template's exception, without the source lines that jinja2 reads for its traceback."""
        raise


class GenerationBlock(ext.Extension):
    """jinja2 tag `{% generation %}`: marks the assistant's text, for training; here it renders its contents."""

    tags = {"generation"}  # noqa: RUF012  so the base class declares it

    def parse(self, parser: Any) -> nodes.Node:
        """Parses a generation block, up to its end tag."""
        line = next(parser.stream).lineno
        return nodes.Scope(parser.parse_statements(("name:endgeneration",), drop_needle=True), lineno=line)


def _tojson(value: Any, ensure_ascii: bool = False, indent: Any = None, separators: Any = None, sort_keys: bool = False) -> str:
    """jinja2 filter `tojson`: JSON, not escaped for HTML."""
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def _raise_exception(message: Any) -> str:
    raise TemplateError(str(message)[:COMPLAINT])


@lru_cache(maxsize=1)
def _environment() -> Sandbox:
    made = Sandbox(trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols", GenerationBlock])
    vars(runtime).update(internalcode=lambda function: function)  # jinja2's reads code objects, which is audited, and keeps them
    del made.filters["attr"]
    made.filters["tojson"] = _tojson
    made.globals = {
        **{name: made.globals[name] for name in ("range", "dict", "namespace")},
        "raise_exception": _raise_exception,
        "strftime_now": lambda form: datetime.now().strftime(form),
    }
    return made


@lru_cache(maxsize=8)
def compile_template(template: str) -> Template:
    """Compiles a chat template, cached."""
    return _environment().from_string(template)


# -- what a template cannot do ----------------------------------------------------------------------------------------
_allowed: tuple[str, ...] = ()  # audit events
_READING, _COMPILING, _RENDERING = ("marshal.loads",), ("compile", "exec", "builtins.id"), ("builtins.id",)


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    """Refuses what is not allowed: the audit hook, which Python calls before it opens, connects, starts, imports, compiles, …"""
    if event not in _allowed:
        raise SecurityError(f"{event!r} is not allowed in a template")


_EVERYTHING = (
    "{% set x = '\\N{EN DASH} x' | wordwrap | pprint | e | title %}{{ strftime_now('%c %Z') }}{{ [1.5] | tojson(indent=1) }}"
    "{{ '%.1f{}'.format(1) % 2 }}{{ missing | default('x') | urlencode }}{{ 'a b' | urlize | striptags }}{{ nothing.a }}"
)
"""What loads modules and files late; its error imports what errors need."""


def _restrict(memory: int) -> None:
    """Loads everything that a template can use, and drops all other rights. `memory` is added to what the process has now."""
    _run(_EVERYTHING, {}, 1 << 20)
    if sys.platform == "win32":
        _restrict_windows(memory)
    else:
        import resource

        with suppress(OSError), open("/proc/self/statm") as file:
            memory += int(file.read().split()[0]) * resource.getpagesize()
        with suppress(OSError, ValueError):  # macOS reserves more addresses than that: CPU time is the limit there
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        for name in ("NOFILE", "NPROC", "FSIZE", "CORE"):
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (0, 0))
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
    for number in (signal.SIGINT, signal.SIGTERM):  # sent to the whole group; the end of input says when to end
        signal.signal(number, signal.SIG_IGN)
    sys.stderr = None
    for module in {"os", "posix", "nt"} & sys.modules.keys():  # has calls that are not audited, such as stat
        vars(sys.modules[module]).clear()
    sys.addaudithook(_refuse)


def _restrict_windows(memory: int) -> None:
    """Puts this process in a Windows job: its memory is limited, and no other process can start in it."""
    import ctypes

    kernel = ctypes.WinDLL("kernel32")  # type: ignore[attr-defined]
    kernel.CreateJobObjectW.restype = kernel.GetCurrentProcess.restype = ctypes.c_void_p
    job = ctypes.c_void_p(kernel.CreateJobObjectW(None, None))
    process_memory, active_processes = 0x100, 0x8
    limits = struct.pack("<2qI4x2QI4xQ2I6Q4Q", 0, 0, process_memory | active_processes, 0, 0, 1, *[0] * 9, memory, 0, 0, 0)
    kernel.SetInformationJobObject(job, 9, limits, len(limits))  # JOBOBJECT_EXTENDED_LIMIT_INFORMATION
    kernel.AssignProcessToJobObject(job, ctypes.c_void_p(kernel.GetCurrentProcess()))


if hasattr(signal, "setitimer"):  # the kernel counts CPU time and ends the process, whatever it computes

    def _limit_seconds(seconds: float) -> None:
        signal.setitimer(signal.ITIMER_PROF, seconds)

else:  # Windows: a thread that Python's lock does not stop
    _NOWHERE = open(os.devnull, "w")  # noqa: SIM115  for as long as the process lives

    def _limit_seconds(seconds: float) -> None:
        if seconds:
            faulthandler.dump_traceback_later(seconds, exit=True, file=_NOWHERE)
        else:
            faulthandler.cancel_dump_traceback_later()


# -- requests ---------------------------------------------------------------------------------------------------------
def _run(template: str, values: dict[str, Any] | None, characters: int) -> tuple[bytes, bytes]:
    """Runs a render request; returns a kind and text: `t` is rendered, `e` an error, `m` an error after which memory is short."""
    try:
        kind, text = _render_text(template, values, characters)
        return kind, text.encode("utf-8", "surrogatepass")
    except MemoryError:
        return b"m", b"takes too much memory"


def _render_text(template: str, values: dict[str, Any] | None, characters: int) -> tuple[bytes, str]:
    global _allowed
    try:
        _allowed = _COMPILING
        program = compile_template(template)
        _allowed = _RENDERING
        if values is None:
            return b"t", ""
        text = program.render(values)
        if len(text) > characters:
            return b"e", f"writes {len(text)} characters, the limit is {characters}"
        return b"t", text
    except MemoryError:
        raise
    except BaseException as error:  # the template's own code can raise anything, and so can its compiler
        text = str(getattr(error, "message", None) or error)[:COMPLAINT]
        name = type(error).__name__
        return b"e", f"says: {text or name}" if isinstance(error, TemplateError) else f"fails: {name}: {text}"
    finally:
        _allowed = _READING


def _serve(source: IO[bytes], answers: IO[bytes], finish: Callable[[int], Any]) -> None:
    """Answers render requests until the input ends."""
    while head := source.read(24):
        size, seconds, characters = struct.unpack("<QdQ", head)
        request = source.read(size)
        _limit_seconds(seconds)
        template, values = marshal.loads(request)
        del request
        kind, blob = _run(template, values, characters)
        _limit_seconds(0)
        answers.write(kind + len(blob).to_bytes(8, "little") + blob)
        answers.flush()
        if kind == b"m":
            break
    finish(0)


if __name__ == "__main__":
    source, answers, finish = sys.stdin.buffer, sys.stdout.buffer, os._exit
    _restrict(int(sys.argv[1]))
    answers.write(b"ready\n")
    answers.flush()
    _serve(source, answers, finish)
