"""`python -m tests.golden.executables [NAME…]` prints hashes of results, `--write` keeps those of each level."""

from __future__ import annotations

import argparse
import json

from . import EXECUTABLES, bits


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.golden.executables", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="all of them, unless given")
    parser.add_argument("--write", action="store_true", help=f"write {bits.FILE.name} anew; the commit that does it says why")
    options = parser.parse_args()
    if unknown := [name for name in options.names if name not in EXECUTABLES]:
        parser.error(f"no executable {unknown[0]!r}; there are: {', '.join(EXECUTABLES)}")
    if not options.write:
        print(json.dumps(bits.here(options.names), indent=1))
        return
    changed = bits.write()
    for line in changed:
        print(f"changed: {line}")
    print(f"{len(changed)} hashes changed; computed for {', '.join(bits.levels())}")


if __name__ == "__main__":
    main()
