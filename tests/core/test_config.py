"""Flags: what each takes, and clear errors for the rest."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rlx.backends.cpu.backend import CpuBackend
from rlx.core import cache, config
from rlx.core.errors import RlxError


@pytest.mark.parametrize(
    "text, value", [("", False), ("0", False), ("off", False), ("No", False), ("1", True), (" on ", True), ("TRUE", True)]
)
def test_switches(text, value, monkeypatch):
    monkeypatch.setenv("RLX_VERIFY", text)
    assert config.VERIFY.on() is value


@pytest.mark.parametrize("flag", [config.VERIFY, config.CACHE, config.CANARIES], ids=lambda flag: flag.name)
def test_a_switch_that_is_neither_on_nor_off_is_refused(flag, monkeypatch):
    monkeypatch.setenv(flag.name, "maybe")
    with pytest.raises(RlxError, match=f"RLX406.*{flag.name}=maybe"):
        flag.on()


@pytest.mark.parametrize("text", ["abc", "-5", "1.5", "1e3", "0x10", "²", "9" * 5000])
def test_a_size_of_the_cache_that_is_no_number_is_refused(text, cache_dir, monkeypatch):
    monkeypatch.setenv("RLX_CACHE_MB", text)
    with pytest.raises(RlxError, match=re.escape(f"RLX_CACHE_MB={text[:60]}")) as raised:
        cache.load("anything")
    assert raised.value.code == "RLX406" and "integer" in raised.value.fix


@pytest.mark.parametrize("text", ["0", "-1", "two", "1.5", "٣"])
def test_a_number_of_threads_that_is_none_is_refused(text, monkeypatch):
    monkeypatch.setenv("RLX_THREADS", text)
    with pytest.raises(RlxError, match=f"RLX_THREADS={text}"):
        config.THREADS.integer(1)


@pytest.mark.parametrize("name", ["foo", "x86_64-avx3", "BASELINE"])
def test_an_unknown_cpu_is_refused_with_those_that_are_known(name, monkeypatch):
    monkeypatch.setenv("RLX_CPU", name)
    with pytest.raises(RlxError, match=f"RLX_CPU={name}") as raised:
        CpuBackend.shared()
    assert raised.value.code == "RLX406" and "baseline, x86_64" in raised.value.fix


def test_folders_expand_the_home_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    for flag in (config.CACHE_DIR, config.DUMP):
        monkeypatch.setenv(flag.name, "~/x")
        assert flag.folder() == tmp_path / "x"
        monkeypatch.setenv(flag.name, "~nobody-of-this-name/x")
        with pytest.raises(RlxError, match=r"RLX406.*~nobody-of-this-name"):
            flag.folder()
        monkeypatch.setenv(flag.name, "")
        assert flag.folder() is None


@pytest.mark.skipif(cache.sys.platform in ("win32", "darwin"), reason="the folders of caches on Linux")
def test_the_users_cache_folder(tmp_path, monkeypatch):
    monkeypatch.delenv("RLX_CACHE_DIR", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for stated, expected in (
        (str(tmp_path / "xdg"), tmp_path / "xdg"),
        ("", tmp_path / "home/.cache"),
        ("relative", tmp_path / "home/.cache"),
    ):
        monkeypatch.setenv("XDG_CACHE_HOME", stated)
        assert cache.folder() == expected / "rlx"
    assert not Path("relative").exists()


@pytest.mark.parametrize("home", [None, "", "relative"])
def test_no_home_and_no_passwd_entry_is_a_warning(home, monkeypatch):
    pwd = pytest.importorskip("pwd")
    monkeypatch.delenv("RLX_CACHE_DIR", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("HOME", raising=False)
    if home is not None:
        monkeypatch.setenv("HOME", home)

    def unknown(number):
        raise KeyError(number)

    monkeypatch.setattr(pwd, "getpwuid", unknown)
    with pytest.warns(UserWarning, match="home folder is unknown"):
        assert cache.folder() is None
    with pytest.warns(UserWarning, match="home folder is unknown"):
        cache.store("x", b"y")
    monkeypatch.setenv("RLX_CACHE_DIR", "~/x")
    with pytest.raises(RlxError, match="RLX_CACHE_DIR=~/x"):
        cache.folder()
