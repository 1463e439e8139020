"""Training, whatever is trained: one contract, one loop, and what is done around it."""
