"""Standard errors, tests and intervals follow from estimates and their covariance."""

import numpy as np
import pytest
from scipy.stats import chi2, norm

from boltzmix.inference.estimates import Estimates

COVARIANCE = np.array([[0.04, 0.01], [0.01, 0.09]])


@pytest.fixture
def found():
    values = np.array([0.5, -1.2])
    return Estimates(("1", "1"), ("age", "sex[male]"), values, COVARIANCE, ratio="odds ratio")


def test_tests_and_intervals_are_those_of_the_normal_law(found):
    np.testing.assert_allclose(found.standard_errors, [0.2, 0.3])
    np.testing.assert_allclose(found.p_values, 2 * norm.sf([2.5, 4.0]))
    np.testing.assert_allclose(found.intervals(0.9)[0], norm(0.5, 0.2).ppf([0.05, 0.95]))
    np.testing.assert_allclose(found.ratios(0.9)[:, 1:], np.exp(found.intervals(0.9)))


def test_a_joint_test_uses_the_covariance(found):
    test = found.wald(np.eye(2))
    expected = found.values @ np.linalg.inv(COVARIANCE) @ found.values
    assert test.statistic == pytest.approx(expected)
    assert (test.degrees_of_freedom, test.p_value) == (2, pytest.approx(chi2.sf(expected, 2)))


def test_redundant_combinations_count_once(found):
    assert found.wald(np.array([[1.0, 0], [2.0, 0]])).degrees_of_freedom == 1


def test_unknown_errors_are_shown_as_dashes():
    found = Estimates(("0",), ("mean",), np.ones(1), np.full((1, 1), np.nan))
    assert np.isnan(found.p_values).all()
    assert repr(found).splitlines()[1].split() == ["0", "mean", "1.000", *["–"] * 5]
    assert np.isnan(found.wald(np.ones((1, 1))).p_value)


def test_the_frame_has_the_columns_of_the_table(found):
    frame = found.to_frame()
    assert frame["ratio"].tolist() == pytest.approx(np.exp([0.5, -1.2]))
    assert "<th>odds ratio</th>" in found._repr_html_()
    assert "sex[male]" in repr(found)


def test_a_level_lies_between_zero_and_one(found):
    with pytest.raises(ValueError, match="level must lie between 0 and 1"):
        found.intervals(95)
