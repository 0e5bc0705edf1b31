"""Side-by-side timings against peers, as ratios within one run.

`measure_all` runs the measurements; `pages` draws from what was saved, and runs nothing.
"""
