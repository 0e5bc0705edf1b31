"""What regressions share: inputs and features, scales, and generalised linear models."""
