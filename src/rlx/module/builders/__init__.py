"""The builders: `table.py` has an entry for each; the other files are the functions behind the entries, by subject."""
