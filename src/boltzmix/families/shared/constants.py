"""Numbers that several families need."""

import numpy as np

LOG_2_PI = float(np.log(2 * np.pi))
GAUSSIAN_QUARTILES = 1.3489795  # distance between the quartiles of a standard Gaussian
TINY = float(np.finfo(float).tiny)
