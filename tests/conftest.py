import logging
import os

os.environ["SCIPY_ARRAY_API"] = "1"  # before scipy is imported: scikit-learn's checks ask for it
os.environ["MPLBACKEND"] = "Agg"

import pytest
from hypothesis import settings

# the same examples on every run; HYPOTHESIS_PROFILE=search looks for new ones
settings.register_profile("fixed", derandomize=True, deadline=None)
settings.register_profile("search", max_examples=1000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))

COMPILED: list[str] = []  # the kernels that were compiled in all processes


class Recorder(logging.Handler):
    """Keeps the names of kernels that are compiled."""

    def emit(self, record):
        if record.levelno == logging.DEBUG:
            COMPILED.append(record.getMessage())


def pytest_configure():
    logger = logging.getLogger("boltzmix.kernels")
    logger.setLevel(logging.DEBUG)
    logger.addHandler(Recorder())


def pytest_sessionfinish(session):
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["compiled"] = COMPILED


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    COMPILED.extend(getattr(node, "workeroutput", {}).get("compiled", []))


def pytest_terminal_summary(terminalreporter):
    if COMPILED and hasattr(terminalreporter.config.option, "numprocesses"):
        terminalreporter.write_line(
            f"{len(COMPILED)} kernels were compiled during the tests."
            " If `python -m tests.warm_up` was run before, it lacks them:"
        )
        for kernel in sorted(set(COMPILED)):
            terminalreporter.write_line(f"  {kernel}")
