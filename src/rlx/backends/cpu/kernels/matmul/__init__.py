"""Matrix products of dense operands."""
