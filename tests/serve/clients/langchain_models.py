"""What LangChain's chat models and its agent send: python langchain_models.py URL."""

import sys

from langchain.agents import create_agent
from langchain_anthropic import ChatAnthropic
from langchain_core.messages import HumanMessage, SystemMessage, ToolMessage
from langchain_core.tools import tool
from langchain_ollama import ChatOllama, OllamaLLM
from langchain_openai import ChatOpenAI, OpenAI
from pydantic import BaseModel

URL = sys.argv[1]
TASK = "What is the weather in Oslo?"


class Place(BaseModel):
    """A place."""

    city: str
    country: str | None = None


@tool
def weather(city: str) -> str:
    """Weather of a city."""
    return f"rain in {city}"


def models():
    own = {"base_url": f"{URL}/v1", "api_key": "none", "max_retries": 0}
    yield ChatOpenAI(model="scripted", temperature=0.1, **own)
    yield ChatOpenAI(model="scripted", use_responses_api=True, **own)
    yield ChatOllama(model="scripted", base_url=URL, num_ctx=4096, temperature=0.1)
    yield ChatAnthropic(model="scripted", base_url=URL, api_key="none", max_tokens=500, max_retries=0)


def run(model):
    first = model.invoke([SystemMessage("Be short."), HumanMessage(TASK)])
    list(model.stream(TASK))
    model.invoke([HumanMessage(TASK), first, HumanMessage("Again.")], stop=["END"])
    bound = model.bind_tools([weather])
    messages = [HumanMessage(TASK)]
    answer = bound.invoke(messages)
    results = [ToolMessage(weather.invoke(call["args"]), tool_call_id=call["id"]) for call in answer.tool_calls]
    bound.invoke([*messages, answer, *results])
    list(create_agent(model, [weather]).stream({"messages": messages}, stream_mode="messages"))
    for method in ("json_schema", "json_mode", "function_calling"):
        model.with_structured_output(Place, method=method, include_raw=True).invoke("A place as JSON?")


for model in models():
    run(model)
OpenAI(model="scripted", base_url=f"{URL}/v1", api_key="none").invoke("Once")
list(OllamaLLM(model="scripted", base_url=URL).stream("Once"))
