"""Chat templates that try to take all time or memory: each ends within a second of CPU and little memory, with RLX904 or a short text."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

GROW = "{% set ns = namespace(s='xxxxxxxxxx', l=[1], n=3) %}{% for i in range(99) %}{% set BODY %}{% endfor %}"
BIG = "{% set s = 'x' * 8000000 %}{% set t = 'x' * 8000000 %}"
BOMBS = {
    "bytes": "{{ ('a'.encode() * 3000000000) | length }}",
    "bytes with a codec": "{{ 'a'.encode('utf-32') | length }}",
    "bytes of a number": "{{ (5).to_bytes(3000000000, 'big') | length }}",
    "text": "{{ 'x' * 10000000000 }}",
    "text from the right": "{{ 10000000000 * 'x' }}",
    "list": "{{ [0] * 10000000000 }}",
    "tuple": "{{ (0,) * 1000000000 }}",
    "nested repetition": "{{ ((['x' * 1000] * 1000) * 1000) * 1000 }}",
    "power": "{{ 9 ** 9 ** 9 }}",
    "power of a text": "{{ 2 ** 3000000000 }}",
    "shift": "{{ 1 << 3000000000 }}",
    "hexadecimal number": "{{ 0x" + "f" * 20_000 + " % 7 }}",
    "number of a text": "{{ ('f' * 8000000) | int(base=16) % 7 }}",
    "float of a text": "{{ ('1.' + '0' * 15000000 + '1') | float }}",
    "percent width": "{{ '%3000000000d' % 1 }}",
    "percent precision": "{{ '%.2000000000f' % 1.5 }}",
    "percent star": "{{ '%*d' % (2000000000, 1) }}",
    "percent many": "{{ ('%(a)s' * 1000000) % {'a': 'x' * 1000000} }}",
    "format filter": "{{ '%2000000000d' | format(1) }}",
    "format filter many": "{{ ('%(a)s' * 1000000) | format(a='x' * 1000000) }}",
    "format": "{{ '{:>3000000000}'.format(1) }}",
    "format nested": "{{ '{:>{}}'.format(1, 3000000000) }}",
    "format many": "{{ ('{a}' * 1000000).format(a='x' * 1000000) }}",
    "format_map": "{{ '{a:>3000000000}'.format_map({'a': 1}) }}",
    "expandtabs": "{{ '\\t'.expandtabs(3000000000) }}",
    "zfill": "{{ 'x'.zfill(3000000000) }}",
    "ljust": "{{ 'x'.ljust(3000000000) }}",
    "rjust": "{{ 'x'.rjust(3000000000) }}",
    "center": "{{ 'x'.center(3000000000) }}",
    "translate": "{{ ('x' * 1000000).translate({120: 'y' * 1000000}) }}",
    "center filter": "{{ 'x' | center(3000000000) }}",
    "indent": "{{ 'x' | indent(10000000000, true) }}",
    "indent by a text": "{{ ('x\\n' * 100000) | indent('y' * 100000) }}",
    "wordwrap": "{{ ('x' * 10000000) | wordwrap(1, wrapstring='y' * 1000000) }}",
    "batch": "{{ messages | batch(1000000000, 0) | list }}",
    "slice filter": "{{ messages | slice(1000000000, 0) | list }}",
    "round": "{{ 1.5 | round(1000000000) }}",
    "json indented": "{{ [1] | tojson(indent=1000000000) }}",
    "json separated": "{{ ([1] * 100000) | tojson(separators=('x' * 1000000, ':')) }}",
    "json nested": GROW.replace("BODY", "ns.l = [ns.l, 1, 1]") + "{{ ([ns.l] * 400) | tojson(indent=30) }}" * 60,
    "replace": "{{ ('x' * 1000000).replace('x', 'y' * 1000000) }}",
    "replace nothing": "{{ ('x' * 1000000).replace('', 'y' * 1000000) }}",
    "replace filter": "{{ ('x' * 1000000) | replace('x', 'y' * 1000000) }}",
    "join": "{{ ('x' * 1000000).join('y' * 1000000) }}",
    "join filter": "{{ ('y' * 1000000) | join('x' * 1000000) }}",
    "join of what is not there": "{{ range(100000) | map(attribute='a', default='x' * 8000000) | join }}",
    "sort of what is not there": "{{ range(100000) | map(attribute='a', default='X' * 8000000) | sort | length }}",
    "split": "{{ ('xyz ' * 4000000).split() | length }}",
    "splitlines": "{{ ('xyz\\n' * 4000000).splitlines() | length }}",
    "characters": "{{ ('é' * 8000000) | list | length }}",
    "strip": "{{ ('a' * 8000000).strip('b' * 8000000 + 'a') }}",
    "trim": "{{ ('a' * 8000000) | trim('b' * 8000000 + 'a') }}",
    "search from the right": "{{ ('a' * 8000000).rfind('b' + 'a' * 4000000) }}",
    "growing by ~": GROW.replace("BODY", "ns.s = ns.s ~ ns.s"),
    "growing by +": GROW.replace("BODY", "ns.s = ns.s + ns.s"),
    "growing by replace": GROW.replace("BODY", "ns.s = ns.s.replace('x', ns.s)"),
    "growing by the filter replace": GROW.replace("BODY", "ns.s = ns.s | replace('x', ns.s)"),
    "growing by join": GROW.replace("BODY", "ns.s = ns.s.join(ns.s)"),
    "growing by the filter join": GROW.replace("BODY", "ns.s = ns.s | join(ns.s)"),
    "growing by a block": GROW.replace("BODY", "s %}{{ ns.s }}{{ ns.s }}{% endset %}{% set ns.s = s"),
    "growing by a macro": "{% macro f(s) %}{{ s }}{{ s }}{% endmacro %}" + GROW.replace("BODY", "ns.s = f(ns.s)"),
    "growing by a call's arguments": "{% macro f() %}{% set ns.l = varargs %}{% endmacro %}"
    + GROW.replace("BODY", "x = f(ns.l, ns.l)"),
    "growing lists": GROW.replace("BODY", "ns.l = [ns.l, ns.l]") + "{{ ns.l }}",
    "growing dicts": GROW.replace("BODY", "ns.l = {'a': ns.l, 'b': ns.l}") + "{{ ns.l == ns.l }}",
    "growing dicts by a call": GROW.replace("BODY", "ns.l = dict(a=ns.l, b=ns.l)") + "{{ ns.l | tojson }}",
    "growing tuples": GROW.replace("BODY", "ns.l = (ns.l, ns.l)") + "{{ ns.l | string }}",
    "growing sums of lists": GROW.replace("BODY", "ns.l = ns.l + ns.l") + "{{ ns.l | length }}",
    "growing numbers": GROW.replace("BODY", "ns.n = ns.n * ns.n") + "{{ ns.n % 7 }}",
    "division of huge numbers": GROW.replace("BODY", "ns.n = ns.n * ns.n") + "{{ (ns.n * ns.n) // ns.n }}",
    "many texts": "{% for i in range(1000) %}{% set a = 'x' * (8000000 + i) %}{% endfor %}",
    "many names": "".join("{% set aN = 'x' * 8000000 %}".replace("N", str(i)) for i in range(1000)),
    "many slices": BIG + "{% set l = [" + "s[1:]," * 1000 + "] %}",
    "many comparisons": BIG + "{% for i in range(100) %}{% if [" + "s == t," * 1500 + "] %}{% endif %}{% endfor %}",
    "many tests": BIG + "{% for i in range(100) %}{% if [" + "s is eq(t)," * 1500 + "] %}{% endif %}{% endfor %}",
    "many parts": BIG + "{{ (" + "s ~ " * 3000 + "s) | length }}",
    "output": "{% set s = 'x' * 8000000 %}{% for i in range(10000) %}{{ s }}{% endfor %}",
    "output of a block": "{% set s = 'x' * 8000000 %}{% set t %}{% for i in range(10000) %}{{ s }}{% endfor %}{% endset %}",
    "plain text": "{% set t %}{% for i in range(100000) %}" + "x" * 50_000 + "{% endfor %}{% endset %}",
    "filter block": "{% filter upper %}{% for i in range(100000) %}" + "x" * 50_000 + "{% endfor %}{% endfilter %}",
    "loops": "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
    "loops that skip": "{% for a in range(99999) %}{% for b in range(99999) if b < 0 %}{% endfor %}{% endfor %}",
    "range": "{% for a in range(3000000000) %}{% endfor %}",
    "macros": "{% macro f(n) %}{% if n %}{{ f(n - 1) }}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(60) }}",
    "recursion": "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
    "recursive loop": "{% for a in [[1]] recursive %}{{ loop(a) }}{% endfor %}",
    "nesting": "{{ " + "[" * 25_000 + "]" * 25_000 + " }}",
    "nested loops": "{% for a in [1] %}" * 200 + "{% endfor %}" * 200,
    "a long template": "x" * 10_000_000,
    "lipsum": "{{ lipsum(100000) }}",
    "cycler": "{{ cycler(1, 2).next() }}",
    "joiner": "{{ joiner('x')() }}",
    "namespaces that hold each other": "{% set a = namespace() %}{% set a.b = a %}{{ raise_exception(a) }}",
    "date": "{{ strftime_now('%1000000000d') }}",
}

CHILD = """
import json, resource, sys
from rlx.core.errors import RlxError
from rlx.generate import template as templates
from rlx.generate.template import render

def used():
    each = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in each), *(one.ru_maxrss / 1024 for one in each)

render("{{ 1 }}")
resource.setrlimit(resource.RLIMIT_CPU, (100, 100))
for name, template in json.load(sys.stdin).items():
    before = used()
    try:
        end = f"text of {len(render(template, messages=[{'role': 'user', 'content': 'x'}]))} characters"
    except RlxError as error:
        end = f"{error.code} {error}"
    except BaseException as error:
        end = f"{type(error).__name__}: {error!s:.60}"
    templates._workers.close()
    after = used()
    print(json.dumps([name, end, after[0] - before[0], after[1] - before[1], after[2]]), flush=True)
"""


@pytest.fixture(scope="module")
def ends():
    """How each bomb ended, its CPU seconds, by how many MiB our peak grew, and the highest peak of a process so far."""
    done = subprocess.run([sys.executable, "-c", CHILD], input=json.dumps(BOMBS), capture_output=True, text=True)
    return {name: found for name, *found in map(json.loads, done.stdout.splitlines())}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_ends_quickly_and_in_little_memory(name, ends):
    assert name in ends, f"the process died after {list(ends)[-1:]}"
    end, seconds, grown, highest = ends[name]
    assert end.startswith("RLX904 [RLX904] the chat template ") or end in [f"text of {size} characters" for size in range(99)]
    assert "MemoryError" not in end and "crashed" not in end and len(end) < 2000
    assert seconds < 1 and grown < 64 and highest < 320
