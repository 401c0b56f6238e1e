"""What Open WebUI's server sends when its page asks it: python open_webui.py URL PACKAGES HOME.

Its server runs; the requests of its page are made here, with the page's names.
"""

import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid

URL, PACKAGES, HOME = sys.argv[1:]
PORT = 18124
SETTINGS = {
    "WEBUI_AUTH": "False",
    "DATA_DIR": f"{HOME}/data",
    "OPENAI_API_BASE_URL": f"{URL}/v1",
    "OPENAI_API_KEY": "none",
    "OLLAMA_BASE_URL": URL,
    "RAG_EMBEDDING_ENGINE": "openai",
    "RAG_OPENAI_API_BASE_URL": f"{URL}/v1",
    "ENABLE_VERSION_UPDATE_CHECK": "False",
    "WEBUI_SECRET_KEY": "a key for tests, which is long enough",
    "OFFLINE_MODE": "True",
    "HF_HUB_OFFLINE": "1",
    "ANONYMIZED_TELEMETRY": "False",
    "AIOHTTP_CLIENT_TIMEOUT": "60",
}
TASK = "What is the weather in Oslo?"
PARAMETERS = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
TOOLS = [{"type": "function", "function": {"name": "weather", "description": "Weather", "parameters": PARAMETERS}}]
ADVANCED = {
    "stream_response": True,
    "temperature": 0.7,
    "max_tokens": 100,
    "top_k": 40,
    "top_p": 0.9,
    "min_p": 0.05,
    "frequency_penalty": 0.1,
    "presence_penalty": 0.1,
    "repeat_penalty": 1.1,
    "repeat_last_n": 64,
    "mirostat": 0,
    "mirostat_eta": 0.1,
    "mirostat_tau": 5,
    "tfs_z": 1,
    "seed": 1,
    "stop": ["END"],
    "logit_bias": "5:-10",
    "num_ctx": 4096,
    "num_keep": 24,
    "num_batch": 512,
    "use_mmap": True,
    "keep_alive": "5m",
    "think": False,
    "reasoning_effort": "low",
}
token = ""


def ask(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"content-type": "application/json", "authorization": f"Bearer {token}"}
    try:
        with urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{PORT}{path}", data, headers), timeout=90) as answer:
            text = answer.read().decode()
    except urllib.error.HTTPError as error:
        text = error.read().decode()
        print("failed:", error.code, end=" ")
    print(path, text[:300].replace("\n", " "))
    return json.loads(text) if text.startswith("{") else text


def chat(model, messages, **more):
    features = {"voice": False, "image_generation": False, "code_interpreter": False, "web_search": False}
    page = {"params": {}, "features": features, "variables": {"{{USER_NAME}}": "User"}, "background_tasks": {}}
    return ask("/api/chat/completions", {"model": model, "messages": messages, "stream": True, **page, **more})


def run(model):
    user, system = {"role": "user", "content": TASK}, {"role": "system", "content": "Be short."}
    said = {"role": "assistant", "content": "Rain."}
    chat(model, [user])
    chat(model, [user], stream=False)
    chat(model, [system, user, said, {"role": "user", "content": "Again."}], stream_options={"include_usage": True})
    chat(model, [user], params=ADVANCED)
    call = {"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Oslo"}'}}
    chat(model, [user], tools=TOOLS, stream=False)
    called = {"role": "assistant", "content": "", "tool_calls": [call]}
    chat(model, [user, called, {"role": "tool", "tool_call_id": "call_1", "content": "rain"}], tools=TOOLS)
    chat(model, [user], response_format={"type": "json_object"}, stream=False)
    for kind in ("title", "follow_up", "tags"):
        ask(f"/api/v1/tasks/{kind}/completions", {"model": model, "messages": [user, said], "chat_id": str(uuid.uuid4())})


command = [f"{PACKAGES}/bin/open-webui", "serve", "--host", "127.0.0.1", "--port", str(PORT)]
server = subprocess.Popen(command, env={**os.environ, **SETTINGS})
try:
    for _ in range(600):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{PORT}/health", timeout=2).close()
            break
        except OSError:
            time.sleep(0.5)
    token = ask("/api/v1/auths/signin", {"email": "", "password": ""})["token"]
    openai = {"OPENAI_API_BASE_URLS": [f"{URL}/v1"], "OPENAI_API_KEYS": ["none"]}
    named = {"0": {"enable": True, "prefix_id": "openai"}}  # else both connections have the same model
    ask("/openai/config/update", {"ENABLE_OPENAI_API": True, **openai, "OPENAI_API_CONFIGS": named})
    names = [model["id"] for model in ask("/api/models?refresh=true")["data"]]
    print(names)
    for name in ("openai.scripted", "scripted"):
        run(name)
finally:
    server.terminate()
    server.wait(20)
