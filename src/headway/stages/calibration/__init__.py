"""How sure a stage is: from margins and marginals to probabilities of being right."""
