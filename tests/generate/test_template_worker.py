"""The processes that render chat templates: what even a template that left jinja2's sandbox cannot do, and how they live and end."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import rlx
from rlx.core.errors import RlxError
from rlx.generate import template as templates
from rlx.generate import template_worker
from rlx.generate.template import render

posix = pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")
MESSAGES = [{"role": "user", "content": "x"}]
LOOPS = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"


@pytest.fixture
def workers(monkeypatch):
    """Processes for this test alone."""
    fresh = templates._Workers()
    monkeypatch.setattr(templates, "_workers", fresh)
    yield fresh
    fresh.close()


def pids(workers):
    return [worker._process.pid for worker in workers._all]


# -- what a template reaches ------------------------------------------------------------------------------------------
ESCAPES = [
    "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    "{{ ''['__class__'] }}",
    "{{ '' | attr('__class__') }}",
    "{{ ['']|map(attribute='__class__')|list }}",
    "{{ ['']|map('attr', '__class__')|list }}",
    "{{ ['']|sort(attribute='__class__')|list|length * 0 or '' }}{{ ['']|groupby('__class__') }}",
    "{{ ['']|sum(attribute='__class__', start='') }}",
    "{{ ['']|selectattr('__class__')|list }}{{ ['']|unique(attribute='__class__')|map(attribute='__doc__')|list }}",
    "{{ '{0.__class__}'.format('') }}",
    "{{ '{a.__class__}'.format_map({'a': ''}) }}",
    "{% set f = '{0.__class__.__mro__}'.format %}{{ f('') }}",
    "{{ ('{0.__class__}' | attr('format'))('') }}",
    "{{ ['{0.__class__}'] | map('format', '') | list | string | replace('{0.__class__}', '') | replace(\"['']\", '') }}",
    "{{ '%(x)s'.__mod__({'x': 1}) }}",
    "{{ messages.__init__.__globals__ }}",
    "{{ messages.append(1) }}{{ messages[0].update({}) }}",
    "{{ messages[0].__getattribute__('pop') }}",
    "{{ dict.__base__.__subclasses__() }}",
    "{{ dict.mro() }}",
    "{{ dict.fromkeys('ab') }}",
    "{{ namespace.__init__.__globals__ }}{{ namespace().__class__ }}{{ namespace(a=1)._Namespace__attrs }}",
    "{{ range.__globals__ }}{{ range.__self__ }}{{ range.__wrapped__ }}",
    "{{ raise_exception.__globals__ }}{{ raise_exception.__code__ }}{{ strftime_now.__closure__ }}",
    "{% for a in 'x' %}{{ loop.__class__ }}{{ loop._iterator }}{{ loop.__init__.__globals__ }}{% endfor %}",
    "{% macro m() %}{{ caller }}{% endmacro %}{{ m.__globals__ }}{{ m._func }}{{ m.__call__ }}",
    "{{ self.__init__.__globals__ }}{{ self._TemplateReference__context }}",
    "{% block b %}{{ super }}{% endblock %}{{ self.b.__func__ }}",
    "{{ missing.__init__.__globals__ }}",
    "{{ (1).__class__ }}{{ (1).real.to_bytes(1, 'big') }}{{ 1.5.hex() }}",
    "{{ (messages | map('upper')).gi_frame }}{{ (messages | map('upper')).gi_code }}",
    "{{ 'x'.encode().decode.__self__ }}",
    "{{ cycler.__init__.__globals__.os.popen('id').read() }}{{ lipsum.__globals__ }}{{ joiner.__init__ }}",
    "{{ [].__class__ }}{{ {}.__class__ }}{{ ().__class__ }}{{ true.__class__ }}{{ none.__class__ }}",
    "{{ tools | tojson(default=raise_exception) }}",
    "{% include '/etc/passwd' %}",
    "{% import 'os' as os %}{{ os }}",
    "{% from 'os' import system %}{{ system('id') }}",
    "{% extends '/etc/passwd' %}",
    "{{ environment }}{{ context }}{{ __builtins__ }}{{ import('os') }}{{ open('/etc/passwd') }}{{ eval('1') }}",
    "{{ url_for.__globals__ }}{{ get_flashed_messages.__globals__ }}{{ config }}{{ request.application }}",
]


@pytest.mark.parametrize("template", ESCAPES)
def test_known_escapes_lead_nowhere(template):
    try:
        text = render(template, messages=MESSAGES, tools=[])
    except RlxError as error:
        assert error.code == "RLX904"
        return
    assert not re.search("<(?!Namespace {})|0x|root:", text), text


OUTSIDE = """
import os, sys, socket, subprocess, importlib, ctypes, mmap, shutil, threading, resource, builtins, gc
from rlx.generate import template_worker as worker
def held(of, names): return {name: getattr(of, name) for name in names.split()}
ways = {
    "open": lambda: open("/etc/passwd").read(), "open by number": lambda: os.open("/etc/passwd", 0), "stat": lambda: os.stat("/etc/passwd"),
    "list": lambda: os.listdir("/"), "system": lambda: os.system("true"), "fork": lambda: os.fork(), "mkfifo": lambda: os.mkfifo("/tmp/x"),
    "socket": lambda: socket.socket(), "socketpair": lambda: socket.socketpair(), "process": lambda: subprocess.Popen(["true"]),
    "import": lambda: importlib.import_module("telnetlib"), "eval": lambda: eval("1 + 1"), "environment": lambda: os.environ["PATH"],
    "library": lambda: ctypes.CDLL("libm.so.6"), "rlimit": lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (9, 9)),
    "objects": lambda: gc.get_objects(), "write": lambda: open("/tmp/never", "w"), "kill": lambda: os.kill(1, 0),
}
kernel = {
    "open": held(os, "open")["open"], "socket": socket.socket, "pipe": os.pipe, "dup": os.dup,
}
arguments = {"open": ("/etc/passwd", 0), "socket": (), "pipe": (), "dup": (0,)}
worker._environment().globals["ways"] = ways
worker._environment().globals["attempt"] = lambda name: ways[name]()
if sys.argv[1] == "kernel":
    worker._refuse = lambda event, arguments: None
    worker._environment().globals["attempt"] = lambda name: kernel[name](*arguments[name])
    ways = kernel
worker._restrict(256 << 20)
for name in ways:
    print(name, "|", *worker._run("{{ attempt(name) }}", {"name": name}, 1 << 20), flush=True)
"""


def outside(barrier):
    done = subprocess.run([sys.executable, "-c", OUTSIDE, barrier], capture_output=True, text=True, timeout=60)
    return dict(line.split(" | ", 1) for line in done.stdout.splitlines()), done.stderr


@posix
def test_whoever_leaves_the_sandbox_of_jinja2_meets_the_audit_hook():
    found, errors = outside("hook")
    assert len(found) == 18, errors
    assert all(answer.startswith("b'e'") for answer in found.values()), found
    refused = [name for name, answer in found.items() if "is not allowed in a template" in answer]
    assert {"open", "socket", "eval", "rlimit", "objects", "write"} <= set(refused), found


@posix
def test_the_kernel_alone_refuses_files_and_sockets():
    found, errors = outside("kernel")
    assert len(found) == 4, errors
    assert all(answer.startswith("b'e'") for answer in found.values()), found
    assert all("Too many open files" in found[name] for name in ("open", "socket", "pipe")), found


def test_every_filter_and_test_of_jinja2_works_after_files_are_out_of_reach():
    environment = template_worker._environment()
    for name in environment.filters:
        for value in ("'ab'", "[1, 2]", "{'a': 1}"):
            for arguments in ("", "(1)", "('a')", "('a', 'b')"):
                try:
                    render(f"{{{{ {value} | {name}{arguments} }}}}{{{{ {value} | {name}{arguments} | list }}}}")
                except RlxError as error:
                    assert "not allowed" not in str(error) and "crashed" not in str(error), (name, value, arguments, str(error))
    render("".join(f"{{{{ 1 is {name} }}}}" for name in ("boolean", "callable", "defined", "integer", "mapping", "sequence")))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_the_environment_stays_outside(workers, monkeypatch):
    monkeypatch.setenv("RLX_API_KEY", "hidden-word")
    render("{{ 1 }}")
    (pid,) = pids(workers)
    assert b"hidden-word" not in Path(f"/proc/{pid}/environ").read_bytes()
    assert len(os.listdir(f"/proc/{pid}/fd")) == 3


# -- how processes live -----------------------------------------------------------------------------------------------
def test_one_process_renders_all_that_one_thread_asks(workers):
    render("{{ 1 }}")
    first = pids(workers)
    assert len(first) == 1
    with pytest.raises(RlxError):
        render("{{ raise_exception('no') }}")
    assert render("{{ 2 }}") == "2" and pids(workers) == first


def test_a_slow_rendering_delays_no_other(workers):
    for count in (1, 2):
        templates.start_worker(count=count)
    assert len(pids(workers)) == 2
    ends = []

    def slow():
        with pytest.raises(RlxError, match="ran longer than"):
            render(LOOPS)
        ends.append("slow")

    thread = threading.Thread(target=slow)
    thread.start()
    while len(workers._idle) == 2:
        time.sleep(0.001)
    for _ in range(3):
        assert render("{{ 1 }}") == "1"
    ends.append("quick")
    thread.join()
    assert ends == ["quick", "slow"]


def test_after_an_end_another_process_is_there(workers):
    render("{{ 1 }}")
    (first,) = pids(workers)
    with pytest.raises(RlxError, match=r"RLX904.*the chat template ran longer than 0.5 s"):
        render(LOOPS)
    (second,) = pids(workers)
    with pytest.raises(RlxError, match=r"RLX904.*the chat template takes too much memory"):
        render("{{ 'x' * 10000000000 }}")
    (third,) = pids(workers)
    assert render("{{ 1 }}") == "1" and pids(workers) == [third] and len({first, second, third}) == 3


@posix
def test_a_process_that_was_killed_is_replaced(workers):
    render("{{ 1 }}")
    (first,) = pids(workers)
    os.kill(first, signal.SIGKILL)
    workers._idle[0]._process.wait()
    assert render("{{ 2 }}") == "2" and pids(workers) != [first]


@posix
def test_a_process_that_is_killed_while_it_renders_fails_that_rendering(workers):
    render("{{ 1 }}")
    (pid,) = pids(workers)
    timer = threading.Timer(0.2, os.kill, (pid, signal.SIGKILL))
    timer.start()
    with pytest.raises(RlxError, match=r"RLX904.*(exit code -9|ran longer)"):
        render(LOOPS)
    assert render("{{ 2 }}") == "2"


def test_a_large_conversation_has_a_process_with_more_memory(workers):
    content = "x" * 9_000_000
    assert render("{{ m }}{{ m | length }}", m=content) == content + "9000000"
    assert not pids(workers)
    assert render("{{ 1 }}") == "1"


def test_a_template_compiled_ahead_is_an_error_only_when_it_renders(workers):
    templates.start_worker("{% if %}")
    with pytest.raises(RlxError, match="the chat template says: Expected an expression"):
        render("{% if %}")
    assert len(pids(workers)) == 1


def test_a_bomb_that_is_compiled_ahead_is_an_error_when_it_renders(workers):
    bomb = "{{ " + "[" * 200 + "]" * 200 + " }}" + "{{ ('x' * 99999999) | length }}" * 2000
    templates.start_worker(bomb)
    with pytest.raises(RlxError, match="RLX904"):
        render(bomb)
    assert render("{{ 2 }}") == "2"


@posix
def test_a_forked_child_has_processes_of_its_own(workers):
    if not hasattr(os, "fork"):
        pytest.skip("no fork")
    script = """
import os
from rlx.generate import template as templates
from rlx.generate.template import render
assert render("{{ 1 }}") == "1"
mine = [worker._process.pid for worker in templates._workers._all]
child = os.fork()
if not child:
    assert not templates._workers._all and render("{{ 2 }}") == "2"
    assert mine != [worker._process.pid for worker in templates._workers._all]
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
assert render("{{ 3 }}") == "3" and mine == [worker._process.pid for worker in templates._workers._all]
print("done")
"""
    done = subprocess.run([sys.executable, "-W", "error", "-c", script], capture_output=True, text=True, timeout=60)
    assert done.stdout == "done\n" and not done.stderr, done.stderr


ORPHANS = """
import os, signal, sys, time
from rlx.generate import template as templates
from rlx.generate.template import render
render("{{ 1 }}")
if sys.argv[1] == "fork" and not os.fork():
    time.sleep(20)
    os._exit(0)
if sys.argv[1] == "renders":
    import threading
    threading.Thread(target=lambda: render(sys.argv[2]), daemon=True).start()
    time.sleep(0.05)
print(*[worker._process.pid for worker in templates._workers._all], flush=True)
if sys.argv[1] != "ends":
    os.kill(os.getpid(), signal.SIGKILL)
"""


@posix
@pytest.mark.parametrize("how", ["killed", "fork", "renders", "ends"])
def test_no_process_outlives_its_parent(how):
    parent = subprocess.Popen([sys.executable, "-c", ORPHANS, how, LOOPS], stdout=subprocess.PIPE, text=True)
    numbers = [int(number) for number in parent.stdout.readline().split()]
    assert numbers
    parent.wait(30)
    parent.stdout.close()
    end = time.monotonic() + 10
    while any(map(is_running, numbers)):
        assert time.monotonic() < end, f"{how}: {numbers} still run"
        time.sleep(0.01)


def is_running(pid):
    try:
        os.kill(pid, 0)
        return not Path("/proc/self").exists() or " Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


def test_opening_a_model_with_a_template_starts_a_process(workers, tmp_path):
    pytest.importorskip("typer")
    from tests.cli.test_models import write_model

    path = write_model(tmp_path / "tiny.gguf")
    model = rlx.load_model(path)
    (first,) = pids(workers)
    assert "x" in render(model.chat_template, messages=MESSAGES)
    rlx.load_model(path)
    assert pids(workers) == [first]


# -- where there is none ----------------------------------------------------------------------------------------------
def raises(error):
    def popen(*arguments, **options):
        raise error

    return popen


NO_PROCESS = {
    "no such file": (lambda patch: patch(sys, "executable", "/nonexistent/python"), "No such file"),
    "unknown": (lambda patch: patch(sys, "executable", ""), "not a Python interpreter"),
    "frozen": (lambda patch: patch(sys, "frozen", True, raising=False), "not a Python interpreter"),
    "another program": (lambda patch: patch(sys, "executable", "/bin/false"), "it ended with code 1"),
    "no more processes": (
        lambda patch: patch(subprocess, "Popen", raises(BlockingIOError(11, "Resource temporarily unavailable"))),
        "Resource temporarily unavailable",
    ),
}


@posix
@pytest.mark.parametrize("name", NO_PROCESS)
def test_where_no_process_can_start_the_error_says_so(workers, monkeypatch, name):
    change, reason = NO_PROCESS[name]
    change(monkeypatch.setattr)
    templates.start_worker()  # opening a model is no reason to fail
    with pytest.raises(RlxError, match=reason) as raised:
        render("{{ 1 }}")
    assert raised.value.code == "RLX908" and "allow this Python to start processes" in raised.value.fix


def test_without_jinja2_the_error_names_the_package(workers, monkeypatch):
    monkeypatch.setattr(templates.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(RlxError, match=r"RLX803.*jinja2"):
        render("{{ 1 }}")


@posix
def test_systems_without_timers_have_a_thread_that_watches(workers, monkeypatch, tmp_path):
    text = Path(template_worker.__file__).read_text().replace('"NPROC", ', "")  # a thread is a process to Linux
    (tmp_path / "template_worker.py").write_text(text.replace("import signal\n", "import signal\ndel signal.setitimer\n"))
    monkeypatch.setattr(templates, "__file__", str(tmp_path / "template.py"))
    assert render("{{ 1 }}") == "1"
    with pytest.raises(RlxError, match=r"RLX904.*exit code 1"):
        render(LOOPS)
    assert render("{{ 2 }}") == "2"


def test_the_job_of_windows_is_packed_as_windows_reads_it(monkeypatch):
    import ctypes

    class Function:
        def __call__(self, *arguments):
            self.arguments = arguments
            return 7

    class Kernel:
        def __init__(self, name):
            self.name = name

        def __getattr__(self, name):
            self.__dict__[name] = Function()
            return self.__dict__[name]

    made = []
    monkeypatch.setattr(ctypes, "WinDLL", lambda name: made.append(Kernel(name)) or made[-1], raising=False)
    template_worker._restrict_windows(1 << 28)
    job, kind, limits, size = made[0].SetInformationJobObject.arguments
    assert (job.value, kind, size, len(limits)) == (7, 9, 144, 144)
    assert int.from_bytes(limits[16:20], "little") == 0x108 and int.from_bytes(limits[112:120], "little") == 1 << 28
    assert int.from_bytes(limits[40:44], "little") == 1  # one process in the job
