"""Hashes of results: the same for the same fit, and compared line by line."""

import pytest

from fuzz.hashing import differences, hash_of


@pytest.mark.parametrize(
    "job", [("Gaussian", "em", "noise"), ("GaussianMixture", "em", "plain"), 3]
)
def test_the_same_fit_has_the_same_hash(job):
    assert hash_of(job) == hash_of(job)


def test_another_option_has_another_hash():
    found = {hash_of(("Poisson", "em", one)).rsplit(": ")[-1] for one in ("plain", "noise")}
    assert len(found) == 2


def test_files_are_compared_by_the_fits_they_have_in_common(tmp_path):
    before, after = tmp_path / "before", tmp_path / "after"
    before.write_text("Gaussian, em, plain: 1\n3: 2\n4: 5\n")
    after.write_text("4: 6\nGaussian, em, plain: 1\n")
    assert differences(before, after) == (2, ["4"])
