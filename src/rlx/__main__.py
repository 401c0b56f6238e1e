"""`python -m rlx`: the same as the command `rlx`."""

from rlx.cli import main

if __name__ == "__main__":
    main()
