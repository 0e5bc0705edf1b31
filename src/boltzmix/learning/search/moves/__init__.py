"""Moves of components: which change, how promising that is, and the search that tries it."""
