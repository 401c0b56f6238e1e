"""`python -m tests.golden.kernels [NAME…]` prints how kernels differ from what is written down, `--write` writes them anew."""

from __future__ import annotations

import argparse

from .files import FILES, FOLDER, difference, write


def main() -> None:
    """The command line."""
    known = list(dict.fromkeys(name for name, _ in FILES))
    parser = argparse.ArgumentParser(prog="python -m tests.golden.kernels", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="all of them, unless given")
    parser.add_argument("--write", action="store_true", help="write the texts anew; the commit that does it says why")
    options = parser.parse_args()
    if unknown := [name for name in options.names if name not in known]:
        parser.error(f"no kernel {unknown[0]!r}; there are: {', '.join(known)}")
    names = options.names or known
    if options.write:
        changed = write(names)
        print(*(f"changed: {file.relative_to(FOLDER)}" for file in changed), f"{len(changed)} files changed", sep="\n")
        return
    found = [said for name, target in FILES if name in names and (said := difference(name, target))]
    print("\n\n".join(found) if found else "every kernel is emitted as it is written down")
    raise SystemExit(bool(found))


if __name__ == "__main__":
    main()
