"""Base distributions, one in each file. A new file here is a new family of the package.

A large one has helper files beside it, whose names begin with its own.
"""
