"""The clients: packages, commands, and the answers that the model gives them.

In texts PACKAGES is the folder of the packages, PROJECT that of the program to be changed, CLIENTS this one, and URL the server.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tests.serve.scripted import called

__all__ = ["CLIENTS", "FILES", "Client"]

WRONG = "def area(width, height):\n    return width + height\n"
TASK, NEXT = "Mend shapes.py.", "Say it again."
DONE = "The area is 12."
Answer = str | Callable[[str], str]  # of a prompt
FILES = {"PROJECT/shapes.py": WRONG}


@dataclass(frozen=True)
class Client:
    """How a client is installed and run."""

    name: str
    kind: str  # npm or pypi
    packages: tuple[str, ...]  # with versions
    steps: tuple[tuple[str, ...], ...]
    answers: tuple[Answer, ...]
    origin: str = "recorded from the packages"
    aside: Answer = "ok"  # to requests without tools
    aliases: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    prepare: tuple[tuple[str, ...], ...] = ()  # commands after the installation
    own: tuple[str, ...] = (TASK, NEXT, DONE, WRONG)


_CLAUDE = ("--allowedTools", "Read Edit Bash")
_CODEX = {
    "model": "scripted",
    "model_provider": "rlx",
    "model_providers.rlx.name": "rlx",
    "model_providers.rlx.base_url": "URL/v1",
    "model_providers.rlx.wire_api": "responses",
}
_CODEX_OPTIONS = tuple(part for name, value in _CODEX.items() for part in ("-c", f'{name}="{value}"'))
_CODEX_MODES = ("--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox")
_CONTINUE = """name: test
version: 1.0.0
schema: v1
models:
  - name: scripted
    provider: openai
    model: scripted
    apiBase: URL/v1
    apiKey: none
    capabilities: [tool_use]
    roles: [chat]
"""
_EDIT = """I mend it.

shapes.py
```python
<<<<<<< SEARCH
    return width + height
=======
    return width * height
>>>>>>> REPLACE
```
"""
_AIDER = ("aider", "--model", "openai/scripted", "--openai-api-base", "URL/v1", "--openai-api-key", "none", "--yes-always")
_AIDER_MODES = ("--no-git", "--no-check-update", "--no-show-release-notes", "--analytics-disable", "--edit-format", "diff")


def _call_the_last(prompt: str) -> str:
    """A call of the tool that was described last: with a city, as all of them have one."""
    name = re.findall(r'"name": ?"(\w+)"', prompt.partition("<end>")[0])[-1]
    return f"I ask.\n{called(name, city='Oslo')}"


def _edit_once(prompt: str) -> str:
    """An edit, and after that words."""
    return DONE if NEXT in prompt else _EDIT


_WEATHER = (_call_the_last, "Rain.")
_OWN = (
    *("What is the weather in Oslo?", "rain in Oslo", "A place as JSON?", "A place in Norway?"),
    *("Be short.", "Again.", "Weather of a city.", "Rain."),
)
_JSON = '{"city": "Oslo", "country": null}'


_QUESTIONS = "".join(
    json.dumps({"question": f"The capital of {land} is", "answer": town, "choices": ["Oslo", "Lima"], "label": label}) + "\n"
    for label, (land, town) in enumerate([("Norway", "Oslo"), ("Peru", "Lima")])
)
_LM_EVAL_DATA = """dataset_path: json
dataset_kwargs:
  data_files:
    test: HOME/tasks/questions.jsonl
test_split: test
doc_to_text: "{{question}}"
num_fewshot: 1
fewshot_split: test
"""
_LM_EVAL_FILES = {
    "HOME/tasks/questions.jsonl": _QUESTIONS,
    "HOME/tasks/written.yaml": f"""task: written
output_type: generate_until
doc_to_target: "{{{{answer}}}}"
generation_kwargs: {{until: ["\\n\\n", "."], max_gen_toks: 32, do_sample: false, temperature: 0}}
metric_list: [{{metric: exact_match}}]
{_LM_EVAL_DATA}""",
    "HOME/tasks/chosen.yaml": f"""task: chosen
output_type: multiple_choice
doc_to_target: label
doc_to_choice: choices
metric_list: [{{metric: acc}}]
{_LM_EVAL_DATA}""",
}


def _lm_eval(model: str, path: str, tasks: str, *more: str) -> tuple[str, ...]:
    """A run of lm-eval."""
    settings = f"model=scripted,base_url=URL/v1/{path},num_concurrent=1,max_retries=1"
    return ("lm_eval", "--model", model, "--model_args", settings, "--include_path", "HOME/tasks", "--tasks", tasks, *more)


def _library(name: str, driver: str, *packages: str) -> Client:
    """A library for Python, and the program that uses it."""
    steps = (("python", f"CLIENTS/{driver}.py", "URL"),)
    return Client(
        name, "pypi", packages, steps, _WEATHER, aside=_JSON, own=_OWN, environment={"LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    )


_ALL = (
    Client(
        "claude_code",
        "npm",
        ("@anthropic-ai/claude-code@2.1.197",),
        (("claude", "-p", TASK, *_CLAUDE), ("claude", "-p", NEXT, "--continue", *_CLAUDE)),
        (
            f"I look at the file.\n{called('Read', file_path='PROJECT/shapes.py')}",
            called("Edit", file_path="PROJECT/shapes.py", old_string="width + height", new_string="width * height"),
            called("Bash", command="python3 -c 'import shapes'", description="Try it"),
            DONE,
        ),
        environment={
            "ANTHROPIC_BASE_URL": "URL",
            "ANTHROPIC_AUTH_TOKEN": "none",
            "ANTHROPIC_MODEL": "scripted",
            "ANTHROPIC_SMALL_FAST_MODEL": "scripted",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        },
        prepare=(("node", "PACKAGES/node_modules/@anthropic-ai/claude-code/install.cjs"),),
    ),
    Client(
        "codex",
        "npm",
        ("@openai/codex@0.169.0",),
        (
            ("codex", "exec", *_CODEX_MODES, *_CODEX_OPTIONS, TASK),
            ("codex", "exec", "resume", "--last", *_CODEX_MODES, *_CODEX_OPTIONS, NEXT),
        ),
        (
            f"I look at the file.\n{called('exec_command', cmd='cat shapes.py')}",
            called("exec_command", cmd="python3 -c 'import shapes'"),
            DONE,
        ),
        environment={"CODEX_HOME": "HOME"},
    ),
    Client(
        "cline",
        "npm",
        ("cline@3.0.65",),
        (
            ("cline", "auth", "openai", "-k", "none", "-b", "URL/v1", "-m", "scripted"),
            ("cline", "--json", TASK),
            ("python3", "CLIENTS/cline_turns.py", NEXT),
        ),
        (f"I look at the file.\n{called('read_files', paths=['PROJECT/shapes.py'])}", DONE),
    ),
    Client(
        "continue",
        "npm",
        ("@continuedev/cli@1.5.47",),
        (
            ("cn", "-p", "--auto", "--config", "HOME/config.yaml", TASK),
            ("cn", "-p", "--auto", "--config", "HOME/config.yaml", "--resume", NEXT),
        ),
        (
            f"I look at the file.\n{called('Read', filepath='PROJECT/shapes.py')}",
            called("Bash", command="python3 -c 'import shapes'"),
            DONE,
        ),
        files={"HOME/config.yaml": _CONTINUE},
        environment={"CONTINUE_TELEMETRY_ENABLED": "0"},
    ),
    Client(
        "aider",
        "pypi",
        ("aider-chat==0.86.2",),
        (
            (*_AIDER, *_AIDER_MODES, "--message", TASK, "shapes.py"),
            (*_AIDER, *_AIDER_MODES, "--restore-chat-history", "--no-stream", "--message", NEXT, "shapes.py"),
        ),
        (),
        aside=_edit_once,
        environment={"LITELLM_LOCAL_MODEL_COST_MAP": "True"},
    ),
    Client(
        "sillytavern",
        "npm",
        ("sillytavern@1.19.0",),
        (("python3", "CLIENTS/sillytavern.py", "URL", "PACKAGES"),),
        _WEATHER,
        origin="its server runs; the requests of its page were written by hand after the page's source",
        aside=_JSON,
        own=_OWN,
    ),
    Client(
        "open_webui",
        "pypi",
        ("open-webui==0.12.4",),
        (("python3", "CLIENTS/open_webui.py", "URL", "PACKAGES", "HOME"),),
        _WEATHER,
        origin="its server runs (without torch); the requests of its page were written by hand",
        aside=_JSON,
        own=_OWN,
    ),
    Client(
        "lm_eval",
        "pypi",
        ("lm_eval[api]==0.4.13",),
        (
            _lm_eval(
                "local-chat-completions", "chat/completions", "written", "--apply_chat_template", "--fewshot_as_multiturn", "true"
            ),
            _lm_eval("local-completions", "completions", "written,chosen", "--batch_size", "2"),
        ),
        (),
        aside=" Oslo",
        environment={"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "OPENAI_API_KEY": "none"},
        files=_LM_EVAL_FILES,
        own=tuple(json.loads(line)["question"] for line in _QUESTIONS.splitlines()),
    ),
    _library("ollama_python", "ollama_python", "ollama==0.6.3"),
    _library("litellm", "litellm_routes", "litellm==1.106.2", "mcp==2.3.0"),
    _library(
        "langchain",
        "langchain_models",
        "langchain==1.4.7",
        "langchain-openai==1.7.3",
        "langchain-ollama==1.1.0",
        "langchain-anthropic==1.7.7",
    ),
    _library(
        "llama_index",
        "llama_index_models",
        "llama-index-core==0.14.25",
        "llama-index-llms-openai-like==0.8.1",
        "llama-index-llms-ollama==0.11.0",
    ),
)
CLIENTS = {client.name: client for client in _ALL}
