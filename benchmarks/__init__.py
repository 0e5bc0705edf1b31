"""Side-by-side timings against peers, as ratios within one run.

`measure` runs one part of the measurements; `pages` draws from what was saved, and runs nothing.
"""
