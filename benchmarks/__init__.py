"""Comparisons with other libraries: speed, how often fits find the optimum, and known classes.

`measure` runs the timings, `optimum` runs the fits that search for the optimum, `settings` varies
the numbers of the default search, and `labelled` compares clusters with known classes. `pages`,
`optimum_pages` and `labelled_pages` only show saved results.
"""
