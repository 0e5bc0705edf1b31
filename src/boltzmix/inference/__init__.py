"""Conclusions from a fitted mixture: standard errors, tests, and outside variables."""
