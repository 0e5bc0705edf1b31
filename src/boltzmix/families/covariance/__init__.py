"""Covariances: their shapes, moments, priors, and the families and banks that have them."""
