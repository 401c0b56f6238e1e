"""Programs that talk to `rlx serve` by clients' packages, to record what those send; run by each client's own Python."""
