"""What LlamaIndex's models and its agent send: python llama_index_models.py URL."""

import asyncio
import sys

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.llms import ChatMessage
from llama_index.core.prompts import PromptTemplate
from llama_index.core.tools import FunctionTool
from llama_index.llms.ollama import Ollama
from llama_index.llms.openai_like import OpenAILike
from pydantic import BaseModel

URL = sys.argv[1]
TASK = "What is the weather in Oslo?"


class Place(BaseModel):
    """A place."""

    city: str


def weather(city: str) -> str:
    """Weather of a city."""
    return f"rain in {city}"


def run(model, calls=True):
    user = ChatMessage(role="user", content=TASK)
    first = model.chat([ChatMessage(role="system", content="Be short."), user])
    list(model.stream_chat([user]))
    model.chat([user, first.message, user])
    model.complete("Once")
    if not calls:
        return
    tools = [FunctionTool.from_defaults(weather)]
    answer = model.chat_with_tools(tools, user_msg=TASK)
    results = []
    for call in model.get_tool_calls_from_response(answer, error_on_no_tool_call=False):
        more = {"tool_call_id": call.tool_id, "name": call.tool_name}
        results.append(ChatMessage(role="tool", content="rain", additional_kwargs=more))
    model.chat_with_tools(tools, chat_history=[user, answer.message, *results])

    async def agent():
        return await FunctionAgent(tools=tools, llm=model, system_prompt="Be short.").run(TASK)

    print(asyncio.run(agent()))
    model.structured_predict(Place, PromptTemplate("A place in {land}?"), land="Norway")


own = {"api_base": f"{URL}/v1", "api_key": "none", "max_retries": 0, "context_window": 32000}
run(OpenAILike(model="scripted", is_chat_model=True, is_function_calling_model=True, **own))
run(OpenAILike(model="scripted", is_chat_model=True, is_function_calling_model=False, **own), calls=False)
run(Ollama(model="scripted", base_url=URL, request_timeout=60, context_window=32000))
print(OpenAILike(model="scripted", is_chat_model=False, **own).complete("Once"))
