"""Code of several families: copies, constants, splines, and validation of arguments and data."""
