"""Graph-based parsing: every arc has a score, and the best tree is searched among all of them."""
