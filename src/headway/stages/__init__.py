"""What a model is made of: the contract of stages, their row, the model file, constraints, corrections, confidence."""
