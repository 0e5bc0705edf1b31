"""Comparisons with other libraries: how fast fits are, and how often they find the optimum.

`measure` runs the timings, `optimum` runs the fits that search for the optimum, and `settings`
varies the numbers of the default search. `pages` and `optimum_pages` only show saved results.
"""
