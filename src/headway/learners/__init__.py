"""How weights are learned: one learner per file, one contract for all."""
