"""The command `rlx`. Its libraries (typer, rich, prompt_toolkit) are an extra, imported only here."""

from __future__ import annotations

import sys

from rlx.cli.starting import starting

__all__ = ["main"]

_EXTRA = ("typer", "rich", "click", "prompt_toolkit")


def main() -> None:
    """Run the command line; if its extra is missing, say how to install it."""
    words = sys.argv[1:]
    starting.show(words[0] if words and not {"-h", "--help"} & set(words) else "")
    try:
        from rlx.cli.app import run

        run()
    except ModuleNotFoundError as error:
        starting.end()
        if error.name is None or error.name.partition(".")[0] not in _EXTRA:
            raise
        print(f"The command rlx needs {error.name}, which is not installed.\n  fix: pip install 'rlx[cli]'", file=sys.stderr)
        raise SystemExit(2) from None
    finally:
        starting.end()
