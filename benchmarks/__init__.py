"""Comparisons with other libraries: speed, how often fits find the optimum, and known classes.

`measure` runs the timings, `optimum` runs the fits that search for the optimum, `settings` varies
the numbers of the default search, `labelled` compares clusters with known classes, and `remaining`
the estimated with the true number of remaining iterations. `pages`, `optimum_pages` and
`labelled_pages` only show saved results.
"""
