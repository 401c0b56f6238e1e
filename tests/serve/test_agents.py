"""Claude Code and Codex, as npm has them, do a task with `rlx serve`: read a file, change it, run a command.

The model plays a list of answers; what is tested is that the agents' requests are taken, that calls reach them, and that results of
their tools reach the model. They run in a network namespace, so that they reach nothing else.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.serve.scripted import called

pytestmark = pytest.mark.long
PACKAGES = ("@anthropic-ai/claude-code@2.1.197", "@openai/codex@0.169.0")
WRONG, RIGHT = ("def area(width, height):\n    return width + height\n", "def area(width, height):\n    return width * height\n")
RUN = "python3 -c 'import shapes; print(shapes.area(3, 4))' | tee result.txt"


@pytest.fixture(scope="module")
def packages(tmp_path_factory) -> Path:
    """The folder of their commands. RLX_AGENTS names a folder in which npm has installed them already."""
    for needed in ("npm", "node", "unshare"):
        if shutil.which(needed) is None:
            pytest.skip(f"{needed} is not installed")
    if subprocess.run(["unshare", "-rn", "true"], capture_output=True).returncode:
        pytest.skip("unshare -rn: this user may not make a network namespace")
    folder = Path(os.environ.get("RLX_AGENTS") or tmp_path_factory.mktemp("agents"))
    if not (folder / "node_modules").exists():
        command = ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(folder), *PACKAGES]
        found = subprocess.run(command, capture_output=True, text=True, timeout=600)
        if found.returncode:
            pytest.skip(f"npm cannot install {' and '.join(PACKAGES)}: {found.stderr[-200:]}")
    installer = folder / "node_modules/@anthropic-ai/claude-code/install.cjs"  # newer npm runs no scripts by itself
    subprocess.run(["node", str(installer)], check=True, capture_output=True, cwd=installer.parent, timeout=120)
    return folder / "node_modules/.bin"


def worked(task: dict, folder: Path) -> dict:
    """Run an agent on a folder with a wrong program; gives what the helper process reports."""
    root = Path(__file__).parents[2]
    (folder / "shapes.py").write_text(WRONG)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(root / "src"), str(root)])}
    own = {"PATH": os.environ["PATH"], "HOME": str(folder.parent / "home"), **task["environment"]}
    Path(own["HOME"]).mkdir(exist_ok=True)
    full = {"aliases": [], "seconds": 240, **task, "environment": own, "folder": str(folder)}
    command = ["unshare", "-rn", sys.executable, "-m", "tests.serve.agent_run"]
    done = subprocess.run(command, input=json.dumps(full), env=environment, cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


def check(found: dict, folder: Path, path: str) -> None:
    """The task is done: the file is right, the command ran, and every request was answered."""
    assert found["code"] == 0, found
    assert (folder / "shapes.py").read_text() == RIGHT and (folder / "result.txt").read_text() == "12\n", found
    assert "The area is 12." in found["output"]
    asked = [line for line in found["log"] if line.startswith("POST ")]
    assert len(asked) >= 4 and all(line.startswith(f"POST {path} 200 ") for line in asked), asked
    assert any("return width + height" in result for result in found["results"]), "the file reaches the model"
    assert any("12" in result and "return" not in result for result in found["results"]), "so does what was printed"


@pytest.fixture
def project(tmp_path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


def test_claude_code(packages, project):
    file = str(project / "shapes.py")
    answers = [
        f"I look at the file.\n{called('Read', file_path=file)}",
        called("Edit", file_path=file, old_string="width + height", new_string="width * height"),
        called("Bash", command=RUN, description="Try it"),
        "The area is 12.",
    ]
    task = {
        "command": [str(packages / "claude"), "-p", "Mend shapes.py.", "--allowedTools", "Read Edit Bash"],
        "environment": {
            "ANTHROPIC_BASE_URL": "URL",
            "ANTHROPIC_AUTH_TOKEN": "none",
            "ANTHROPIC_MODEL": "scripted",
            "ANTHROPIC_SMALL_FAST_MODEL": "scripted",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        },
        "answers": answers,
    }
    check(worked(task, project), project, "/v1/messages")


def test_codex(packages, project):
    patch = "*** Begin Patch\n*** Update File: shapes.py\n@@\n-    return width + height\n+    return width * height\n*** End Patch"
    answers = [
        f"I look at the file.\n{called('exec_command', cmd='cat shapes.py')}",
        called("exec_command", cmd=f"apply_patch <<'EOF'\n{patch}\nEOF\n"),
        called("exec_command", cmd=RUN),
        "The area is 12.",
    ]
    settings = {"model": "scripted", "model_provider": "rlx", "model_providers.rlx.name": "rlx"}
    settings |= {"model_providers.rlx.base_url": "URL/v1", "model_providers.rlx.wire_api": "responses"}
    options = [part for name, value in settings.items() for part in ("-c", f'{name}="{value}"')]
    modes = ["--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"]
    task = {
        "command": [str(packages / "codex"), "exec", *modes, *options, "Mend shapes.py."],
        "environment": {"CODEX_HOME": str(project.parent / "home")},
        "answers": answers,
    }
    check(worked(task, project), project, "/v1/responses")
