"""What SillyTavern's server sends when its page asks it: python sillytavern.py URL PACKAGES.

Its server runs; the requests of its page are made here, with the page's names and default values.
"""

import json
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

URL, PACKAGES = sys.argv[1:]
PORT = 18123
FOLDER = Path(PACKAGES, "node_modules/sillytavern")
START = ["node", "server.js", "--port", str(PORT), "--dataRoot", f"{PACKAGES}/data", "--configPath", f"{PACKAGES}/config.yaml"]
TASK = "What is the weather in Oslo?"
USER, SYSTEM = {"role": "user", "content": TASK}, {"role": "system", "content": "Be short."}
PARAMETERS = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
TOOLS = [{"type": "function", "function": {"name": "weather", "description": "Weather", "parameters": PARAMETERS}}]
CHAT = {
    "type": "normal",
    "model": "scripted",
    "temperature": 1,
    "frequency_penalty": 0,
    "presence_penalty": 0,
    "top_p": 1,
    "max_tokens": 300,
    "stream": False,
    "logit_bias": {},
    "chat_completion_source": "custom",
    "custom_url": f"{URL}/v1",
    "user_name": "User",
    "char_name": "Assistant",
    "group_names": [],
    "include_reasoning": True,
    "reasoning_effort": "auto",
    "enable_web_search": False,
    "request_images": False,
    "custom_prompt_post_processing": "",
    "verbosity": "auto",
    "custom_include_body": "",
    "custom_exclude_body": "",
    "custom_include_headers": "",
}
PLAIN = {  # in all kinds of completions of text
    "prompt": f"Be short.\nUser: {TASK}\nAssistant:",
    "model": "scripted",
    "max_new_tokens": 60,
    "max_tokens": 60,
    "temperature": 0.7,
    "top_p": 0.5,
    "typical_p": 1,
    "typical": 1,
    "min_p": 0,
    "repetition_penalty": 1.2,
    "frequency_penalty": 0,
    "presence_penalty": 0,
    "top_k": 40,
    "skew": 0,
    "min_tokens": 0,
    "add_bos_token": True,
    "smoothing_factor": 0,
    "smoothing_curve": 1,
    "dry_allowed_length": 2,
    "dry_multiplier": 0,
    "dry_base": 1.75,
    "dry_sequence_breakers": '["\\n", ":", "\\"", "*"]',
    "dry_penalty_last_n": 0,
    "max_tokens_second": 0,
    "stopping_strings": ["\nUser:"],
    "stop": ["\nUser:"],
    "truncation_length": 8192,
    "ban_eos_token": False,
    "skip_special_tokens": True,
    "include_reasoning": True,
    "top_a": 0,
    "tfs": 1,
    "mirostat_mode": 0,
    "mirostat_tau": 5,
    "mirostat_eta": 0.1,
    "custom_token_bans": "",
    "banned_strings": [],
    "xtc_threshold": 0.1,
    "xtc_probability": 0,
    "nsigma": 0,
    "top_n_sigma": 0,
    "min_keep": 0,
    "adaptive_target": -0.01,
    "adaptive_decay": 0.9,
    "stream": False,
}
OTHERS = {  # in all but vLLM's
    "rep_pen": 1.2,
    "rep_pen_range": 0,
    "repetition_penalty_range": 0,
    "guidance_scale": 1,
    "negative_prompt": "",
    "repeat_penalty": 1.2,
    "repeat_last_n": 0,
    "n_predict": 60,
    "num_predict": 60,
    "num_ctx": 8192,
    "mirostat": 0,
    "ignore_eos": False,
    "rep_pen_slope": 1,
}
OWN = {
    "generic": OTHERS,
    "ollama": {**OTHERS, "logit_bias": [], "grammar": "", "cache_prompt": True},
    "vllm": {"n": 1, "ignore_eos": False, "spaces_between_special_tokens": True, "seed": 7},
    "ooba": {
        **OTHERS,
        "min_length": 0,
        "num_beams": 1,
        "length_penalty": 1,
        "early_stopping": False,
        "epsilon_cutoff": 0,
        "eta_cutoff": 0,
        "encoder_repetition_penalty": 1,
        "no_repeat_ngram_size": 0,
        "penalty_alpha": 0,
        "temperature_last": True,
        "do_sample": True,
        "sampler_priority": ["repetition_penalty", "temperature", "top_k"],
    },
    "llamacpp": {
        **OTHERS,
        "n": 1,
        "logit_bias": [],
        "grammar": "",
        "cache_prompt": True,
        "samplers": ["penalties", "dry", "top_n_sigma", "top_k", "typ_p", "top_p", "min_p", "xtc", "temperature"],
    },
}


def ask(path, body):
    data, kind = json.dumps(body).encode(), {"content-type": "application/json"}
    request = urllib.request.Request(f"http://127.0.0.1:{PORT}{path}", data, kind)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            text = answer.read().decode()
    except urllib.error.HTTPError as error:
        text = f"{error.code} {error.read().decode()}"
    print(path, body.get("api_type"), text[:200])
    return json.loads(text) if text.startswith("{") else text


def chat(messages, **more):
    return ask("/api/backends/chat-completions/generate", {**CHAT, "messages": messages, **more})


def run():
    ask("/api/backends/chat-completions/status", {"chat_completion_source": "custom", "custom_url": f"{URL}/v1"})
    said = chat([SYSTEM, USER])["choices"][0]["message"]["content"]
    chat([SYSTEM, USER], stream=True)
    chat([SYSTEM, USER, {"role": "assistant", "content": said}, {"role": "user", "content": "Again."}], logprobs=5)
    more = {"tools": TOOLS, "tool_choice": "auto"}
    calls = chat([SYSTEM, USER], **more)["choices"][0]["message"]["tool_calls"]
    results = [{"role": "tool", "content": "rain", "tool_call_id": call["id"]} for call in calls]
    chat([SYSTEM, USER, {"role": "assistant", "tool_calls": calls}, *results], **more)
    chat([USER], json_schema={"name": "place", "strict": True, "value": PARAMETERS})
    for kind, own in OWN.items():
        to = {"api_type": kind, "api_server": f"{URL}/"}
        ask("/api/backends/text-completions/status", to)
        for stream in (False, True):
            ask("/api/backends/text-completions/generate", {**PLAIN, **own, **to, "stream": stream})


server = subprocess.Popen([*START, "--disableCsrf", "--browserLaunchEnabled", "false"], cwd=FOLDER)
try:
    for _ in range(600):  # it compiles its page first
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{PORT}/version", timeout=2).close()
            break
        except OSError:
            time.sleep(0.5)
    run()
finally:
    server.terminate()
    server.wait(10)
