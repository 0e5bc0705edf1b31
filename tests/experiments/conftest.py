import pytest
from joblib import parallel_config
from threadpoolctl import threadpool_limits

from experiments import measure


@pytest.fixture(scope="session")
def measure_here():
    """Return `measure` without worker processes, which take longer to start than short runs."""

    def measure_in_this_process(table, repeats):
        with parallel_config("sequential"), threadpool_limits(1):
            return measure(table, repeats)

    return measure_in_this_process
