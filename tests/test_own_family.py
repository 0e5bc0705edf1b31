"""What works for a family with only `fit` and `log_prob`, and the errors otherwise."""

import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from matplotlib.figure import Figure
from own_family import Exponential

from boltzmix import BEEM, Mixture, plots
from boltzmix.checks import check_family
from tests.command import assert_one_sentence, run

WAITS = np.concatenate(
    [np.random.default_rng(0).exponential(scale, 150) for scale in (0.1, 10)]
)[:, None]  # fmt: skip
SOURCE = Path(__file__).parents[1] / "examples" / "own_family.py"


@pytest.fixture(scope="module")
def model():
    return Mixture(Exponential(), 2, n_init=2, random_state=0).fit(WAITS)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "mymodule.py").write_text(SOURCE.read_text())
    pl.DataFrame({"seconds": WAITS[:, 0]}).write_csv("waits.csv")
    return tmp_path


def test_the_repr_shows_the_parameters():
    assert repr(Exponential()) == "Exponential()"
    assert repr(Exponential(2 / 3)) == "Exponential(rate=0.66667)"
    assert repr(Exponential(np.array([1.0, 2 / 3]))) == "Exponential(rate=[1.     0.6667])"


def test_the_family_passes_all_checks():
    check_family(Exponential(), WAITS)


@pytest.mark.parametrize("algorithm", ["auto", "beem", "cem", "sem", BEEM(temperature="auto")])
@pytest.mark.parametrize("n_init", [1, 3])
def test_every_algorithm_without_weights_finds_both_components(algorithm, n_init):
    model = Mixture(Exponential(), 2, algorithm=algorithm, n_init=n_init, random_state=0)
    slow, fast = sorted(component.rate for component in model.fit(WAITS).components_)
    assert slow < 0.3
    assert fast > 3


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
def test_more_runs_are_never_less_likely():
    def reached(n_init):
        model = Mixture(Exponential(), 3, algorithm="cem", n_init=n_init, random_state=0)
        return model.fit(WAITS).lower_bound_

    assert reached(5) >= reached(1)


@pytest.mark.parametrize("algorithm", ["em", "daem"])
def test_algorithms_that_need_weights_raise(algorithm):
    with pytest.raises(ValueError, match="fit of Exponential takes no weights"):
        Mixture(Exponential(), 2, algorithm=algorithm).fit(WAITS)


@pytest.mark.parametrize("criterion", ["bic", "aic", "icl"])
def test_criteria_need_the_number_of_parameters(model, criterion):
    with pytest.raises(NotImplementedError, match="give it an n_parameters"):
        getattr(model, criterion)(WAITS)

    class Counted(Exponential):
        n_parameters = 1

    counted = Mixture(Counted(), 2, n_init=2, random_state=0).fit(WAITS)
    assert np.isfinite(getattr(counted, criterion)(WAITS))


def test_plots_that_need_only_labels_are_drawn(model):
    for plot in (plots.clusters(model, WAITS), plots.trace(model), plots.allocations(model)):
        plot.plot()
    assert isinstance(plots.overview(model, WAITS), Figure)


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (
            lambda model: plots.states(model.components_[0]),
            "states draws a fitted chain such as an HMM, not Exponential.",
        ),
        (
            lambda model: plots.curves(model, WAITS),
            "curves draws targets y over inputs X of one column.",
        ),
        (
            lambda model: plots.sequences(model, WAITS),
            "sequences draws sequences: use plots.clusters for the rows of a table.",
        ),
    ],
)
def test_plots_of_other_kinds_of_data_raise(model, draw, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        draw(model)


def test_the_command_fits_the_family(folder):
    options = ("waits.csv", "-k", "2", "--seed", "0", "--family", "mymodule:Exponential")
    fitted = run("fit", *options, "--n-init", "2", "--out", "labels.csv", "--plot", "fit.png")
    assert fitted.exit_code == 0, fitted.stderr
    assert "seconds rate " in fitted.output
    assert pl.read_csv("labels.csv").height == len(WAITS)
    assert (folder / "fit.png").stat().st_size > 1000
    assert_one_sentence(run("fit", *options, "--algorithm", "em"), "takes no weights")
