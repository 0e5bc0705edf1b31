"""Classification, fit and residuals of latent classes."""
