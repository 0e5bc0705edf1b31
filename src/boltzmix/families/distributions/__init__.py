"""Base distributions, one in each file. A new file here is a new family of the package.

Large ones and regressions are packages.
"""
