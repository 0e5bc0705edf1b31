"""Standard errors from the curvature of the log-likelihood."""
