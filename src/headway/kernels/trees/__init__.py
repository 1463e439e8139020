"""Trees: one that grows arc by arc, and the shape of finished ones."""
