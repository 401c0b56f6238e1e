"""What derivative and batching rules of records are made of, and the engines that run them."""
