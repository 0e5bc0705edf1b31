"""Side-by-side timings against peers, as ratios within one run."""
