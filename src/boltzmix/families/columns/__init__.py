"""Families of independent columns and of counts in cells: parameters, sums, floors and priors."""
