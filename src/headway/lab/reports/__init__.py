"""The page of results: tables and figures of the recipes' journals."""
