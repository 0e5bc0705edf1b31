"""A report on a fit: one HTML file that needs nothing else.

>>> from boltzmix import Mixture
>>> from boltzmix.datasets import make_square
>>> X, _ = make_square(random_state=0)
>>> Mixture(n_components=4, random_state=0).fit(X).report(X)
<Report: 4 RobustGaussian components in 210 rows; save(path) writes it>
"""

from .agreement import Agreement, check_classes
from .document import Report
from .findings import find, make_report
from .provenance import Origin

__all__ = ["Agreement", "Origin", "Report", "check_classes", "find", "make_report"]
