"""What ollama-python sends: python ollama_python.py URL."""

import sys

import ollama

TASK = "What is the weather in Oslo?"


def weather(city: str) -> str:
    """Weather of a city.

    Args:
      city: its name
    """
    return f"rain in {city}"


client = ollama.Client(sys.argv[1])
options = {"temperature": 0.2, "num_predict": 60, "num_ctx": 4096, "seed": 1, "stop": ["END"], "repeat_penalty": 1.1}
user = {"role": "user", "content": TASK}
schema = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}

client.list()
client.ps()
client.show("scripted")
first = client.chat("scripted", [user])
list(client.chat("scripted", [user], stream=True, options=options, keep_alive="5m"))
history = [{"role": "system", "content": "Be short."}, user, first.message, {"role": "user", "content": "Again."}]
client.chat("scripted", history, think=False)
messages: list = [user]
while (answer := client.chat("scripted", messages, tools=[weather])).message.tool_calls:
    messages.append(answer.message)
    for call in answer.message.tool_calls:
        text = weather(**call.function.arguments)
        messages.append({"role": "tool", "tool_name": call.function.name, "content": text})
list(client.chat("scripted", [*messages, answer.message, user], tools=[weather], stream=True))
client.chat("scripted", [user], format=schema)
client.chat("scripted", [user], format="json", options=ollama.Options(temperature=0, top_k=1))
client.generate("scripted", TASK, system="Be short.")
list(client.generate("scripted", TASK, raw=True, stream=True, options=options))
client.generate("scripted", keep_alive=0)
