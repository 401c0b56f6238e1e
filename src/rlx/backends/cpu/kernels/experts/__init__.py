"""Products with a weight for each row's expert."""
