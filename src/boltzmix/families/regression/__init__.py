"""Code of all regressions: inputs and features, scales, and generalised linear models."""
