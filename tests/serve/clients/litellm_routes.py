"""What litellm sends by its routes to servers of one's own: python litellm_routes.py URL."""

import json
import sys

import litellm

URL = sys.argv[1]
litellm.telemetry = False
USER = {"role": "user", "content": "What is the weather in Oslo?"}
PARAMETERS = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
TOOLS = [{"type": "function", "function": {"name": "weather", "description": "Weather", "parameters": PARAMETERS}}]
FORM = {"type": "json_schema", "json_schema": {"name": "place", "schema": PARAMETERS, "strict": True}}
ROUTES = {
    "openai/scripted": f"{URL}/v1",
    "hosted_vllm/scripted": f"{URL}/v1",
    "llamafile/scripted": f"{URL}/v1",
    "lm_studio/scripted": f"{URL}/v1",
    "anthropic/scripted": URL,
    "ollama_chat/scripted": URL,
    "ollama/scripted": URL,
}


def asked(name, base, messages, **more):
    return litellm.completion(name, messages, api_base=base, api_key="none", num_retries=0, **more)


def run(name, base):
    first = asked(name, base, [USER], max_tokens=50, temperature=0.3)
    list(asked(name, base, [USER], stream=True, stream_options={"include_usage": True}))
    dumped = first.choices[0].message.model_dump()
    asked(name, base, [{"role": "system", "content": "Be short."}, USER, dumped, USER], stop=["END"], top_p=0.9)
    if name.startswith("ollama/"):
        return
    messages = [USER]
    for _ in range(3):
        message = asked(name, base, messages, tools=TOOLS, tool_choice="auto").choices[0].message
        messages.append(message.model_dump())
        if not message.tool_calls:
            break
        for call in message.tool_calls:
            json.loads(call.function.arguments)
            messages.append({"role": "tool", "tool_call_id": call.id, "name": "weather", "content": "rain"})
    asked(name, base, [USER], response_format=FORM)


for name, base in ROUTES.items():
    run(name, base)
litellm.text_completion("Once", "text-completion-openai/scripted", api_base=f"{URL}/v1", api_key="none", max_tokens=5)
litellm.responses("Hello", "openai/scripted", api_base=f"{URL}/v1", api_key="none")
