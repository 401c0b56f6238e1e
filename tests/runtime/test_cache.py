"""The disk cache: hits, misses, damage, bounds, privacy."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

import rlx
from rlx.backends.cpu import topology as tuned
from rlx.backends.cpu.target import Target
from rlx.core import cache
from rlx.runtime import compile as compile_file


def build(scale: float = 2.0) -> rlx.Graph:
    g = rlx.Graph("cached")
    x = g.input("x", ("n", 4), "f32")
    g.set_outputs({"y": g.exp(x) * scale @ g.param("w", (4, 3), "f32")})
    return g


def compiled(scale: float = 2.0) -> tuple[rlx.Executable, str]:
    exe = rlx.compile(build(scale))
    exe.set_param("w", np.ones((4, 3), np.float32))
    return exe, next(entry.message for entry in exe.report if entry.kind == "cache")


@pytest.fixture(autouse=True)
def fresh(cache_dir, monkeypatch):
    monkeypatch.setattr(compile_file, "_memory", {})
    return cache_dir


def test_second_compile_comes_from_memory_then_disk(cache_dir, monkeypatch):
    first, how = compiled()
    assert how == "compiled and stored"
    assert compiled()[1] == "loaded from memory"
    monkeypatch.setattr(compile_file, "_memory", {})
    again, how = compiled()
    assert how == "loaded from disk"
    x = np.random.default_rng(0).standard_normal((5, 4)).astype(np.float32)
    np.testing.assert_array_equal(first(x=x), again(x=x))
    assert str(again.lir) == str(first.lir)


def test_another_constant_option_or_cpu_is_another_entry(cache_dir, monkeypatch):
    compiled()
    assert compiled(3.0)[1] == "compiled and stored"
    assert "compiled" in next(e.message for e in rlx.compile(build(), fuse=False).report if e.kind == "cache")
    monkeypatch.setenv("RLX_CPU", "x86_64-sse4")
    assert compiled()[1] == "compiled and stored"


def test_damaged_entry_is_dropped_and_made_anew(cache_dir, monkeypatch):
    compiled()
    (entry,) = cache_dir.glob("*.rlxc")
    blob = bytearray(entry.read_bytes())
    blob[len(blob) // 2] ^= 0xFF
    entry.write_bytes(blob)
    monkeypatch.setattr(compile_file, "_memory", {})
    exe, how = compiled()
    assert how == "compiled and stored"
    assert exe(x=np.zeros((1, 4), np.float32))[0, 0] == 8
    entry.write_bytes(b"short")
    monkeypatch.setattr(compile_file, "_memory", {})
    assert compiled()[1] == "compiled and stored"


def test_cache_can_be_off(cache_dir, monkeypatch):
    monkeypatch.setenv("RLX_CACHE", "0")
    assert compiled()[1] == "compiled; the cache is off"
    assert list(cache_dir.iterdir()) == []


def test_folder_others_can_write_is_refused(cache_dir, monkeypatch):
    os.chmod(cache_dir, 0o777)
    with pytest.warns(UserWarning, match="is writable by others"):
        assert compiled()[1] == "compiled; the cache is off"
    assert list(cache_dir.glob("*.rlxc")) == []
    os.chmod(cache_dir, 0o700)


def test_least_recently_used_entries_go(cache_dir, monkeypatch):
    monkeypatch.setenv("RLX_CACHE_MB", "1")
    for number in range(4):
        cache.store(f"entry{number}", bytes(400_000))
        os.utime(cache_dir / f"entry{number}.rlxc", ns=(number * 10**9, number * 10**9))
    cache.store("last", bytes(10))
    kept = {path.stem for path in cache_dir.glob("*.rlxc")}
    assert kept == {"entry2", "entry3", "last"}


def test_another_process_reads_it(cache_dir):
    compiled()
    code = "import sys; sys.path.insert(0, '.'); from tests.runtime.test_cache import compiled; print(compiled()[1])"
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "RLX_CACHE_DIR": str(cache_dir)}
    )
    assert found.stdout.strip() == "loaded from disk", found.stderr


def test_the_report_says_the_same_from_the_cache(cache_dir, monkeypatch):
    def decisions(exe):
        return [str(entry) for entry in exe.report if entry.kind not in ("cache",)]

    first = compiled()[0]
    assert decisions(first) and any(entry.kind == "fused" for entry in first.report)
    from_memory = compiled()[0]
    monkeypatch.setattr(compile_file, "_memory", {})
    from_disk = compiled()[0]
    assert decisions(first) == decisions(from_memory) == decisions(from_disk)
    assert first.report.facts["bytes of arena"] == from_disk.report.facts["bytes of arena"]


def blocked(*arguments, **named):
    raise PermissionError(13, "Permission denied")


@pytest.fixture
def read_only(monkeypatch):
    """Nothing can be changed in any folder: also for root, whom permission bits do not stop."""

    def freeze() -> None:
        monkeypatch.setattr(cache.os, "access", lambda *given: False)
        for owner, name in ((cache.os, "utime"), (cache.Path, "unlink"), (cache.Path, "replace"), (cache.tempfile, "mkstemp")):
            monkeypatch.setattr(owner, name, blocked)
        monkeypatch.setattr(compile_file, "_memory", {})

    return freeze


@pytest.mark.filterwarnings("error")
def test_a_read_only_folder_is_read_and_left_alone(cache_dir, read_only):
    compiled()
    before = {path: path.read_bytes() for path in cache_dir.iterdir()}
    read_only()
    assert compiled()[1] == "loaded from disk"
    assert compiled(5.0)[1] == f"compiled; cannot write the cache: {cache_dir} is read-only"
    assert compiled(5.0)[1] == "loaded from memory"
    assert {path: path.read_bytes() for path in cache_dir.iterdir()} == before


@pytest.mark.filterwarnings("error")
def test_a_damaged_entry_in_a_read_only_folder_is_passed_over(cache_dir, read_only):
    compiled()
    for entry in cache_dir.glob("*.rlxc"):
        entry.write_bytes(b"damaged" * 10)
    read_only()
    assert compiled()[1] == f"compiled; cannot write the cache: {cache_dir} is read-only"


def test_the_report_says_why_an_entry_could_not_be_written(cache_dir, monkeypatch):
    def full(*arguments, **named):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cache.tempfile, "mkstemp", full)
    with pytest.warns(UserWarning, match="could not write the disk cache"):
        assert compiled()[1] == "compiled; cannot write the cache: [Errno 28] No space left on device"


def test_an_entry_larger_than_the_cache_is_not_stored_and_leaves_the_others(cache_dir, monkeypatch):
    monkeypatch.setenv("RLX_CACHE_MB", "1")
    assert cache.store("small", bytes(1000)) == ""
    assert cache.store("large", bytes(2 << 20)) == "the cache holds 1 MB (RLX_CACHE_MB), less than this entry"
    assert [path.stem for path in cache_dir.glob("*.rlxc")] == ["small"]
    monkeypatch.setenv("RLX_CACHE_MB", "0")
    assert "RLX_CACHE_MB" in compiled()[1]


@pytest.mark.skipif(not hasattr(os, "setuid") or os.getuid() != 0, reason="only root can become another user")
def test_another_user_reads_a_folder_of_root():
    import tempfile

    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        os.chmod(folder, 0o755)
        code = (
            "import os, sys, warnings; warnings.simplefilter('error'); from rlx.core import cache; cache.source_hash()\n"
            "cache.store('entry', b'content'); entry = os.path.join(sys.argv[1], 'entry.rlxc')\n"
            "assert os.stat(entry).st_mode & 0o777 == 0o600\n"
            "os.chmod(entry, 0o644); os.setgroups([]); os.setgid(65534); os.setuid(65534)\n"
            "print(cache.load('entry')); cache.store('other', b'more'); print(sorted(os.listdir(sys.argv[1])))"
        )
        environment = {**os.environ, "RLX_CACHE_DIR": folder}
        found = subprocess.run([sys.executable, "-c", code, folder], capture_output=True, text=True, env=environment)
        assert found.stdout.splitlines() == ["b'content'", "['entry.rlxc']"], found.stderr


def test_entries_are_for_the_user_alone(cache_dir, monkeypatch):
    folder = cache_dir / "new" / "rlx"
    monkeypatch.setenv("RLX_CACHE_DIR", str(folder))
    previous = os.umask(0)
    try:
        cache.store("entry", b"x")
    finally:
        os.umask(previous)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / "entry.rlxc").stat().st_mode & 0o777 == 0o600


def foreign(state: os.stat_result) -> os.stat_result:
    """A file's state, with another owner."""
    fields = list(state)
    fields[4] = os.geteuid() + 1
    return os.stat_result(fields)


@pytest.mark.parametrize("how", ["another owner", "others can write", "the group can write", "a link", "a pipe", "a folder"])
def test_an_entry_others_could_have_written_is_ignored_with_a_warning(how, cache_dir, monkeypatch):
    cache.store("entry", b"content")
    path = cache_dir / "entry.rlxc"
    if how == "another owner":
        state = os.fstat
        monkeypatch.setattr(cache.os, "fstat", lambda number: foreign(state(number)))
    elif how == "others can write":
        path.chmod(0o602)
    elif how == "the group can write":
        path.chmod(0o620)
    else:
        kept = path.rename(cache_dir / "kept")
        {"a link": lambda: path.symlink_to(kept), "a pipe": lambda: os.mkfifo(path), "a folder": path.mkdir}[how]()
    with pytest.warns(UserWarning, match="ignoring .*entry.rlxc in the disk cache"):
        assert cache.load("entry") is None


@pytest.mark.parametrize("which", ["lstat", "stat"])
def test_a_folder_or_link_of_another_user_is_refused(which, cache_dir, monkeypatch):
    cache.store("entry", b"content")
    original = getattr(cache.Path, which)
    monkeypatch.setattr(cache.Path, which, lambda self, **named: foreign(original(self, **named)))
    with pytest.warns(UserWarning, match="the disk cache is off: .* is owned by user"):
        assert cache.load("entry") is None


def test_an_entry_under_the_name_of_another_is_damaged(cache_dir):
    cache.store("one", b"content")
    (cache_dir / "one.rlxc").rename(cache_dir / "two.rlxc")
    assert cache.load("two") is None and not (cache_dir / "two.rlxc").exists()


@pytest.mark.parametrize("content", [b"", b"garbage", b"\xff" * 100, b"\0" * 64, b"{}"])
def test_content_that_cannot_be_used_is_dropped_and_made_anew(content, cache_dir, monkeypatch):
    compiled()
    for entry in cache_dir.glob("*.rlxc"):
        cache.store(entry.stem, content)  # with a right checksum
    monkeypatch.setattr(compile_file, "_memory", {})
    with pytest.warns(UserWarning, match="rebuilding an entry"):
        exe, how = compiled()
    assert how == "compiled and stored" and exe(x=np.zeros((1, 4), np.float32))[0, 0] == 8
    monkeypatch.setattr(compile_file, "_memory", {})
    assert compiled()[1] == "loaded from disk"


def test_a_program_whose_code_does_not_link_is_made_anew(cache_dir, monkeypatch):
    compiled()
    (entry,) = (
        path for path in cache_dir.glob("*.rlxc") if b"\x7fELF" in path.read_bytes() or b"\xcf\xfa\xed\xfe" in path.read_bytes()
    )
    blob = cache.load(entry.stem)
    cache.store(entry.stem, blob.replace(b"\x7fELF", b"\x7fBAD").replace(b"\xcf\xfa\xed\xfe", b"\xcf\xfa\xed\xff"))
    monkeypatch.setattr(compile_file, "_memory", {})
    with pytest.warns(UserWarning, match="rebuilding an entry"):
        assert compiled()[1] == "compiled and stored"


def test_unusable_entries_of_recipes_and_pools_are_made_anew(cache_dir):
    code = (
        "import warnings; warnings.simplefilter('ignore')\n"
        "import sys; sys.path.insert(0, '.')\n"
        "import numpy as np; from rlx.core import cache; load = cache.load\n"
        "if sys.argv[1] == 'bad': cache.load = lambda name: None if load(name) is None else b'garbage'\n"
        "import rlx; from rlx.runtime.compile import Recipe; from tests.runtime.test_cache import build\n"
        "exe = rlx.compile(Recipe('test', build)); exe.set_param('w', np.ones((4, 3), np.float32))\n"
        "print(exe(x=np.zeros((1, 4), np.float32))[0, 0], next(e.message for e in exe.report if e.kind == 'cache'))"
    )
    environment = {**os.environ, "RLX_CACHE_DIR": str(cache_dir), "RLX_THREADS": "2"}

    def run(how):
        return subprocess.run([sys.executable, "-c", code, how], capture_output=True, text=True, env=environment)

    texts = [run(how) for how in ("good", "bad", "good")]
    wanted = ["8.0 compiled and stored", "8.0 compiled and stored", "8.0 loaded from disk; the graph was not built"]
    assert [text.stdout.strip() for text in texts] == wanted, [text.stderr for text in texts]


@pytest.mark.parametrize("content", [b"garbage", b'{"no_such_size": 1}', b'{"prefetch_distance": "many"}', b"[1]"])
def test_unusable_sizes_of_tuning_are_dropped(content, cache_dir):
    target = Target.named("x86_64-avx2")
    tuned.keep(target, {"prefetch_distance": 512})
    assert tuned.apply(target).prefetch_distance == 512
    (entry,) = cache_dir.glob("*.rlxc")
    cache.store(entry.stem, content)
    with pytest.warns(UserWarning, match="rebuilding an entry"):
        assert tuned.apply(target) == target
    assert not entry.exists()


def test_threads_that_store_one_entry_do_not_meet(cache_dir):
    import threading

    contents = [bytes([number]) * 200_000 for number in range(8)]
    errors: list = []

    def work(content):
        try:
            for _ in range(10):
                cache.store("entry", content)
                assert cache.load("entry") in contents
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(content,)) for content in contents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors and [path.name for path in cache_dir.iterdir()] == ["entry.rlxc"]


def test_unfinished_files_count_and_old_ones_go(cache_dir, monkeypatch):
    monkeypatch.setenv("RLX_CACHE_MB", "1")
    for name, age in (("old", 7200), ("young", 5)):
        part = cache_dir / f"{name}.part"
        part.write_bytes(bytes(700_000))
        os.utime(part, (cache.time.time() - age,) * 2)
    cache.store("first", bytes(400_000))
    cache.store("second", bytes(200_000))
    assert {path.name for path in cache_dir.iterdir()} == {"young.part", "second.rlxc"}


@pytest.mark.filterwarnings("error")
def test_entries_that_vanish_while_they_are_counted_or_read(cache_dir, monkeypatch):
    monkeypatch.setenv("RLX_CACHE_MB", "0")
    state = cache.Path.lstat

    def vanishing(path, **named):
        if path.suffix == ".rlxc":
            path.unlink(missing_ok=True)
        return state(path, **named)

    monkeypatch.setattr(cache.Path, "lstat", vanishing)
    cache.store("entry", b"content")
    assert list(cache_dir.iterdir()) == []
    monkeypatch.undo()
    monkeypatch.setenv("RLX_CACHE_DIR", str(cache_dir))
    cache.store("entry", b"content")

    def evicted(path, *given, **named):
        raise FileNotFoundError(2, "No such file")

    monkeypatch.setattr(cache.os, "utime", evicted)
    assert cache.load("entry") == b"content"


def test_nothing_is_left_of_an_entry_that_could_not_be_written(cache_dir, monkeypatch):
    def full(*given):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cache.Path, "replace", full)
    with pytest.warns(UserWarning, match="No space left"):
        cache.store("entry", b"content")
    assert list(cache_dir.iterdir()) == []


def test_keys_follow_what_the_sources_say_not_when_they_were_written(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "PACKAGE_FOLDER", str(tmp_path))
    hashed = cache.source_hash.__wrapped__
    module = tmp_path / "inner" / "a.py"
    module.parent.mkdir()
    module.write_text("x = 1")
    os.utime(module, (1, 1))
    first = hashed()
    os.utime(module, (2, 2))
    (module.parent / "__pycache__").mkdir()
    (module.parent / "__pycache__" / "a.pyc").write_bytes(b"z")
    assert hashed() == first
    module.write_text("x = 2")  # of the same size
    os.utime(module, (1, 1))
    assert hashed() != first
