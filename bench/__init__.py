"""Times RLX against each peer and the machine's limit, in one run: `python -m bench SUITE`."""
