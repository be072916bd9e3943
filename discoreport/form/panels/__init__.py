"""What is seen of the form: one file a step, and what stands above and below them."""
