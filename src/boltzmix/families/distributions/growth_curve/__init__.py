"""Growth curves: splines with random effects."""
