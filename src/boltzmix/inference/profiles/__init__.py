"""Profiles of the columns in each component."""
