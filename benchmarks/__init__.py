"""Side-by-side comparisons with peers: timings, as ratios within one run, and found optima.

`measure` runs one part of the timings and `optimum` the fits; `pages` and `optimum_pages` draw from
what was saved, and run nothing.
"""
