"""The files in deploy/: read by the programs they are for where those are installed, and otherwise as text."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from rlx.serve.app import GETS

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"


def run(*words: object) -> str:
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=60)
    return done.stdout + done.stderr


@pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not installed")
def test_nginx_reads_its_configuration(tmp_path):
    text = run("nginx", "-t", "-p", tmp_path, "-g", f"pid {tmp_path}/pid; error_log stderr;", "-c", DEPLOY / "nginx.conf")
    assert "syntax is ok" in text, text


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_reads_its_unit():
    lines = run("systemd-analyze", "verify", DEPLOY / "rlx-serve.service").splitlines()
    assert [line for line in lines if "rlx-serve" in line and "is not executable" not in line] == []


def test_the_dockerfile_copies_what_is_there_and_does_not_run_as_root():
    lines = (DEPLOY / "Dockerfile").read_text().replace("\\\n", " ").splitlines()
    steps = [line.split(maxsplit=1) for line in lines if line.strip() and not line.startswith("#")]
    assert {step[0] for step in steps} <= {
        "FROM",
        "WORKDIR",
        "COPY",
        "RUN",
        "ENV",
        "USER",
        "VOLUME",
        "EXPOSE",
        "STOPSIGNAL",
        "HEALTHCHECK",
        "ENTRYPOINT",
        "CMD",
    }
    for name, rest in steps:
        if name == "COPY" and "--from" not in rest:
            assert all((ROOT / source).exists() for source in rest.split()[:-1]), rest
        if name == "FROM":
            assert re.match(r"\S+:\d", rest), "a version is named"
    assert ["USER", "10001"] in steps, "by its number, which every host knows"


def test_what_is_checked_and_started_exists():
    text = "".join(path.read_text() for path in DEPLOY.iterdir())
    assert "/health" in GETS and "/health" in text
    from typer.testing import CliRunner

    from rlx.cli.app import app

    shown = CliRunner().invoke(app, ["serve", "--help"], env={"COLUMNS": "200", "TERM": "dumb"}).output
    for option in re.findall(r"(--[a-z-]+)", text.partition("ExecStart=")[2].partition("\n")[0]):
        assert option in shown, option
