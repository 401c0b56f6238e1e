"""Markdown in the terminal while it arrives: finished blocks are printed once, the block being written is drawn again and again."""

from __future__ import annotations

from collections.abc import Iterable

from markdown_it import MarkdownIt
from rich.console import Console, ConsoleOptions, RenderResult
from rich.live import Live
from rich.markdown import Markdown
from rich.segment import Segment
from rich.spinner import Spinner

# tags stay text and lines stay lines: nothing of an answer is lost
_PARSER = MarkdownIt("commonmark", {"html": False}).enable(["strikethrough", "table"])


def render_markdown(text: str) -> Markdown:
    """Parses Markdown for rich; keeps tags as text and line breaks.

    >>> [part.type for part in render_markdown("a <think>\\nb").parsed[1].children]
    ['text', 'hardbreak', 'text']
    """
    page = Markdown("", hyperlinks=False)
    page.parsed = _PARSER.parse(text)
    for token in page.parsed:
        for part in token.children or ():
            if part.type == "softbreak":
                part.type = "hardbreak"
    return page


def split_blocks(text: str) -> tuple[str, str]:
    """Splits streamed Markdown: the complete blocks, up to the last blank line outside of code, and the block still being written.

    >>> split_blocks("one\\n\\ntwo")
    ('one\\n\\n', 'two')
    >>> split_blocks("```\\na\\n\\nb")
    ('', '```\\na\\n\\nb')
    """
    end = position = 0
    fence = ""
    for line in text.splitlines(keepends=True):
        position += len(line)
        begin = line.lstrip()
        if fence:
            fence = "" if begin.startswith(fence) and not begin.strip(fence[0]).strip() else fence
        elif begin.startswith(("```", "~~~")):
            fence = begin[: len(begin) - len(begin.lstrip(begin[0]))]
        elif not begin and line.endswith("\n"):
            end = position
    return text[:end], text[end:]


class _LastLines:
    """Renders the last lines of a block that fit the terminal."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for line in console.render_lines(render_markdown(self._text), options, pad=False)[-(console.height - 2) :]:
            yield from line
            yield Segment.line()


def show_markdown(pieces: Iterable[str], console: Console) -> None:
    """Prints pieces of Markdown as they arrive. What has arrived is shown also when the pieces end in an exception."""
    text, blocks = "", 0
    try:
        with Live(Spinner("dots"), console=console, transient=True, refresh_per_second=12) as live:
            for piece in pieces:
                done, text = split_blocks(text + piece)
                if done.strip():
                    _print_block(done, blocks, console)
                    blocks += 1
                if text:
                    live.update(_LastLines(text))
    finally:
        if text.strip():
            _print_block(text, blocks, console)


def _print_block(text: str, blocks: int, console: Console) -> None:
    if blocks:
        console.print()
    console.print(render_markdown(text))
