"""Searches of curves: strands that are followed along the input, and exchanges at crossings."""
