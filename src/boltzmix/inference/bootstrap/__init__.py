"""Replicates of a fitted mixture, learned from data sets that could have been observed."""
