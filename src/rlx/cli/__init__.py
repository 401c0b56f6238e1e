"""The command `rlx`. Its libraries (typer, rich) are an extra, imported only here."""

from __future__ import annotations

import sys

__all__ = ["main"]

_EXTRA = ("typer", "rich", "click")


def main() -> None:
    """Run the command line; if its extra is missing, say how to install it."""
    try:
        from rlx.cli.app import run
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in _EXTRA:
            raise
        print(
            f"The command rlx needs {error.name}, which is not installed.\n  fix: pip install 'rlx[cli]'",
            file=sys.stderr,
        )
        raise SystemExit(2) from None
    run()
