"""Why a stage has decided as it has: decisions, their runners-up, and the features that made the difference."""
