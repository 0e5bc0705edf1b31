"""Tests of `boltzmix fit`, `demo` and `reproduce`: their files, and one sentence per error."""

import json

import numpy as np
import polars as pl
import pytest

from boltzmix.cli.errors import in_options
from boltzmix.data import marked
from boltzmix.datasets import make_square
from boltzmix.metrics import purity_score
from tests.command import assert_one_sentence, run

X, TRUE = make_square(random_state=0)
FRAME = pl.DataFrame({"x": X[:, 0], "y": X[:, 1], "kind": [f"k{label}" for label in TRUE]})


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    FRAME.write_csv("square.csv")
    FRAME.write_parquet("square.parquet")
    return tmp_path


@pytest.mark.parametrize("name", ["square.csv", "square.parquet"])
def test_fit_writes_labels_and_a_picture(folder, name):
    result = run("fit", name, "-k", "4", "--seed", "3", "--n-init", "5", "--exclude", "kind",
                 "--out", "labels.csv", "--plot", "fit.png")  # fmt: skip
    assert result.exit_code == 0, result.output
    labels = pl.read_csv("labels.csv")
    assert labels.columns == ["label", "probability"]
    assert purity_score(TRUE, labels["label"].to_numpy()) > 0.95
    assert (folder / "fit.png").read_bytes().startswith(b"\x89PNG")
    assert "210 rows of 2 columns: x, y" in result.output
    assert sorted(path.name for path in folder.iterdir()) == [
        "fit.png", "labels.csv", "square.csv", "square.parquet",
    ]  # fmt: skip


def test_fit_writes_a_report(folder):
    result = run("fit", "square.csv", "-k", "4", "--seed", "3", "--exclude", "kind",
                 "--report", "square.html")  # fmt: skip
    assert result.exit_code == 0, result.output
    page = (folder / "square.html").read_text()
    assert "<title>4 RobustGaussian components in 210 rows</title>" in page


def test_a_report_that_cannot_be_written_is_an_error_before_the_fit(folder):
    result = run("fit", "absent.csv", "-k", "4", "--report", "nowhere/square.html")
    assert_one_sentence(result, "The folder nowhere of --report does not exist: make it first.")
    assert_one_sentence(run("fit", "square.csv", "-k", "4", "--report", "a.png"), ".html")


def test_fit_writes_parquet_labels_from_chosen_columns(folder):
    result = run("fit", "square.csv", "-k", "2", "--columns", "x", "--out", "labels.parquet")
    assert result.exit_code == 0, result.output
    assert pl.read_parquet("labels.parquet").height == 210


def test_all_lines_of_a_file_without_a_header_are_data(folder):
    np.savetxt("bare.csv", X, delimiter=",")
    result = run("fit", "bare.csv", "-k", "4", "--seed", "0")
    assert "210 rows of 2 columns" in result.output


@pytest.mark.parametrize("first", ["1,1,setosa", "5.1,3.5,setosa"])
def test_a_first_line_of_numbers_is_data_with_a_note(folder, first):
    lines = [f"{x},{y},virginica" for x, y in X[:50]]
    (folder / "bare.csv").write_text("\n".join([first, *lines]) + "\n")
    result = run("fit", "bare.csv", "-k", "2", "--seed", "0")
    assert "51 rows of 3 columns" in result.output, result.output
    assert "the first line was read as data" in result.stderr


def test_excluded_columns_are_listed_and_blanks_around_numbers_are_ignored(folder):
    lines = [f"{x}, {y}, {'?!' if i else 'u'}" for i, (x, y) in enumerate(X[:50])]
    (folder / "blanks.csv").write_text("\n".join(["a, b, c", *lines]) + "\n")
    result = run("fit", "blanks.csv", "-k", "2", "--seed", "0", "--family", "gaussian")
    assert "50 rows of 2 columns: a, b" in result.output
    assert "column 'c' was left out, because it is not numeric" in result.stderr


def test_column_names_are_printed_unchanged(folder):
    FRAME.select(pl.col("x").alias("[/a]"), pl.col("y").alias(":smile:")).write_csv("odd.csv")
    result = run("fit", "odd.csv", "-k", "2", "--seed", "0", "--out", "[x].csv")
    assert "[/a], :smile:" in result.output
    assert "Labels: [x].csv" in result.output


@pytest.mark.parametrize("family", ["exponential", "gamma", "log-normal", "weibull", "laplace"])
def test_families_of_columns_accept_missing_values(folder, family):
    lines = [f"{x:.4f},{y:.4f}" for x, y in np.exp(X)]
    (folder / "gaps.csv").write_text("\n".join(["a,b", *lines, "2.5,", ",0.5"]) + "\n")
    result = run("fit", "gaps.csv", "-k", "4", "--family", family, "--seed", "0",
                 "--out", "labels.csv", "--plot", "fit.png")  # fmt: skip
    assert result.exit_code == 0, result.stderr
    assert pl.read_csv("labels.csv").height == 212
    failed = run("fit", "gaps.csv", "-k", "4", "--family", "factor-analyser")
    assert_one_sentence(failed, "or use a family that takes missing values")


def test_families_are_chosen_for_a_mixed_table(folder):
    rng = np.random.default_rng(0)
    lines = [f"{rng.normal(5 * z):.4f},{rng.poisson(3)},{'ab'[z]}" for z in rng.integers(0, 2, 60)]
    (folder / "mixed.csv").write_text("\n".join(["x,visits,kind", *lines, "2.5,,", ",3,a"]) + "\n")
    result = run("fit", "mixed.csv", "-k", "2", "--family", "auto", "--seed", "0",
                 "--out", "labels.csv")  # fmt: skip
    assert result.exit_code == 0, result.stderr
    assert "Gaussian" in result.stdout and "two categories" in result.stdout
    assert pl.read_csv("labels.csv").height == 62
    failed = run("fit", "mixed.csv", "-k", "2", "--family", "auto", "--covariance", "diag")
    assert_one_sentence(failed, "--covariance is not for auto")


def make_customers(n=120):
    rng = np.random.default_rng(0)
    group = rng.integers(0, 2, n)
    frame = pl.DataFrame(
        {
            "customer": [f"{row:04d}" for row in range(n)],
            "rating": rng.integers(1, 4, n) + 2 * group,
            "spent": np.where(rng.random(n) < 0.4, 0.0, rng.lognormal(2 + 3 * group, 0.5)).round(2),
        }
    )
    frame.write_csv("customers.csv")
    return frame


def test_the_choice_of_families_is_printed_and_can_be_overridden(folder):
    make_customers()
    result = run("fit", "customers.csv", "-k", "2", "--family", "auto", "--seed", "0")
    assert result.exit_code == 0, result.stderr
    assert "a scale of 5 numbers, 1 to 5" in result.stdout
    assert "Column 'customer' is left out" in result.stderr
    assert "--family 'customer=categorical'" in result.stderr
    found = json.loads(
        run("fit", "customers.csv", "-k", "2", "--family", "rating=poisson", "--seed", "0",
            "--json", "--save", "customers.bmix").stdout
    )["column_families"]  # fmt: skip
    assert [one["family"] for one in found] == [None, "Poisson", "ZeroInflatedLogNormal"]
    assert found[1]["reason"] == "chosen by you"
    assert "chosen by you" in run("inspect", "customers.bmix").stdout


@pytest.mark.parametrize(
    ("families", "message"),
    [
        (["gaussian", "rating=poisson"], "--family rating=poisson is for columns of the family"),
        (["gaussian", "gamma"], "--family names gaussian and gamma: name one family"),
        (["rating=gama"], "There is no family 'gama'"),
        (["age=gamma"], "The file has no column 'age'"),
        (["spent=gamma"], "holds 0 in row"),
    ],
)
def test_families_of_columns_that_do_not_suit_are_an_error(folder, families, message):
    make_customers()
    options = [word for family in families for word in ("--family", family)]
    assert_one_sentence(run("fit", "customers.csv", "-k", "2", *options), message)


def test_labels_are_written_with_an_id_or_all_columns(folder):
    frame = make_customers()
    common = ["fit", "customers.csv", "-k", "2", "--family", "auto", "--seed", "0"]
    result = run(*common, "--id", "customer", "--out", "labels.csv", "--save", "customers.bmix")
    assert result.exit_code == 0, result.stderr
    assert "left out" not in result.stderr
    labels = pl.read_csv("labels.csv", schema_overrides={"customer": pl.String})
    assert labels.columns == ["customer", "label", "probability"]
    assert labels["customer"].equals(frame["customer"])
    run(*common, "--id", "customer", "--out", "all.parquet", "--with-columns")
    written = pl.read_parquet("all.parquet")
    assert written.select(frame.columns).equals(frame)
    assert written["label"].cast(pl.Int64).equals(labels["label"])
    predicted = run("predict", "customers.bmix", "customers.csv", "--id", "customer").stdout
    assert predicted.startswith("customer,label,probability\n0000,")
    assert run("predict", "customers.bmix", "customers.csv").stdout.startswith("label,prob")
    found = run("predict", "customers.bmix", "customers.csv", "--with-columns").stdout
    assert found.startswith("customer,rating,spent,label,probability\n")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--id nobody --out labels.csv", "has no column 'nobody'"),
        ("--id rating --columns rating,spent --out labels.csv", "both name column 'rating'"),
        ("--with-columns", "--with-columns is for --out"),
        ("--sequence customer --id rating", "--id names the rows of a table"),
        ("--sequence customer --with-columns --out labels.csv", "each row is an observation"),
    ],
)
def test_ids_and_columns_that_do_not_suit_are_an_error(folder, options, message):
    make_customers()
    assert_one_sentence(run("fit", "customers.csv", "-k", "2", *options.split()), message)


def test_a_file_with_a_column_of_labels_cannot_be_written_beside_labels(folder):
    make_customers().rename({"rating": "label"}).write_csv("customers.csv")
    failed = run("fit", "customers.csv", "-k", "2", "--with-columns", "--out", "labels.csv")
    assert_one_sentence(failed, "--out has a column 'label' itself, and so has the file")


def test_a_users_own_family_is_found_by_its_name(folder):
    (folder / "mine.py").write_text(
        "import numpy as np\n"
        "from boltzmix.families import Family\n"
        "class Unit(Family):\n"
        "    mean = None\n"
        "    def fit(self, data, *, weights=None, rng=None):\n"
        "        new = type(self)(); new.mean = np.asarray(data).mean(axis=0); return new\n"
        "    def log_prob(self, data):\n"
        "        return -0.5 * ((np.asarray(data) - self.mean) ** 2).sum(axis=1)\n"
        "class Broken(Unit):\n"
        "    def log_prob(self, data):\n"
        "        return 1 // 0\n"
    )
    fitted = run("fit", "square.csv", "-k", "4", "--family", "mine:Unit", "--algorithm", "cem")
    assert fitted.exit_code == 0, fitted.stderr
    failed = run("fit", "square.csv", "-k", "4", "--family", "mine:Unit", "--algorithm", "em")
    assert_one_sentence(failed, "but fit of Unit takes no weights")
    broken = run("fit", "square.csv", "-k", "4", "--family", "mine:Broken")
    assert_one_sentence(broken, "ZeroDivisionError")


def test_a_users_own_family_may_be_an_object(folder):
    (folder / "made.py").write_text(
        "from scipy import stats\n"
        "from boltzmix.families import ScipyFamily\n"
        "logistic = ScipyFamily(stats.logistic)\n"
        "class Needy(ScipyFamily): pass\n"
    )
    options = ("square.csv", "-k", "2", "--columns", "x", "--seed", "0", "--algorithm", "cem")
    fitted = run("fit", *options, "--family", "made:logistic")
    assert fitted.exit_code == 0, fitted.stderr
    assert "logistic" in fitted.output and "scale 0." in fitted.output
    both = run("fit", *options, "--family", "made:logistic", "--covariance", "full")
    assert_one_sentence(both, "which is an object already")
    missing = run("fit", *options, "--family", "made:nothing")
    assert_one_sentence(missing, "made has no nothing")
    needy = run("fit", *options, "--family", "made:Needy")
    assert_one_sentence(needy, "missing 1 required positional argument")


@pytest.mark.parametrize(
    ("text", "arguments", "words"),
    [
        (None, "missing.csv -k 2", "There is no file missing.csv"),
        (None, ". -k 2", "is not a file"),
        (None, "square.csv -k 0", "boltzmix: -k must be a whole number of at least 1, as 3, a"),
        (None, "square.csv -k 5..2", "or a list, as 2,4,6; not '5..2'."),
        (None, "square.csv -k a..b", "not 'a..b'."),
        (None, "square.csv -k 2,,3", "not '2,,3'."),
        (None, "square.csv --components=", "not ''."),
        (None, "square.csv -k 1..1000", "-k goes up to 1000, but the file has only 210 observ"),
        (None, "square.csv -k 2..9 --criterion magic", "--criterion must be one of agreement, aic"),
        (None, "square.csv -k 3 --criterion bic", "chooses the number of components, but -k is 3"),
        ("a\n1\n2\n1\n2\n", "file.csv -k 1..3", "the file has only 2 distinct observations"),
        (None, "square.csv -k 1000", "-k 1000 is more than the 210 observations of"),
        (None, "square.csv -k 2 --n-init 0", "--n-init must be a whole number of at least 1"),
        (None, "square.csv -k 2 --max-iter 0", "--max-iter must be a whole number of at least 1"),
        (None, "square.csv -k 2 --seed -1", "--seed must be a whole number of zero or more"),
        (None, "square.csv -k 2 --algorithm magic", "--algorithm must be one of auto, beem"),
        (None, "square.csv -k 2 --family magic", "There is no family 'magic'"),
        (None, "square.csv -k 2 --family gausian", "did you mean 'gaussian'? Choose one of auto"),
        (None, "square.csv -k 2 --family gp", "name the column of their values with --target"),
        (None, "square.csv -k 2 --family nowhere:X", "could not be imported"),
        (None, "square.csv -k 2 --family os:getcwd", "not a boltzmix family"),
        (None, "square.csv -k 2 --family :", "must name a module and a class in it"),
        (None, "square.csv -k 2 --family os:", "must name a module and a class in it"),
        (None, "square.csv -k 2 --family .os:getcwd", "could not be imported"),
        (None, "square.csv -k 2 --covariance round", "boltzmix: --covariance must be one of"),
        (None, "square.csv -k 2 --family poisson --covariance full", "not for poisson"),
        (None, "square.csv -k 2 --init magic", "--init must be one of auto, points, random"),
        (None, f"{'a' * 300}.csv -k 2", "The file name is too long (304 characters)"),
        (None, f"square.csv -k 2 --out {'a' * 300}.csv", "The file name of --out is too long"),
        (None, f"square.csv -k 2 --plot {'a' * 300}.png", "The file name of --plot is too long"),
        (None, "square.csv -k 2 --columns x,z", "no column 'z'"),
        (
            None,
            "square.csv -k 2 --columns kind --family gamma",
            "Column 'kind' of square.csv is not numeric",
        ),
        (None, "square.csv -k 2 --out nowhere/labels.csv", "nowhere of --out does not exist"),
        (None, "square.csv -k 2 --out /proc/labels.csv", "cannot be written to"),
        (None, "square.csv -k 2 --out labels.doc", "--out must end in"),
        (None, "square.csv -k 2 --plot fit.doc", "--plot must end in"),
        (
            "a,b\nu,v\n",
            "file.csv -k 2",
            "The file has no column that can be clustered ('a': left out",
        ),
        ("", "file.csv -k 2", "file.csv is empty"),
        ("a,b\n1,2\n,3\n4,5\n", "file.csv -k 2 --family dirichlet", "NaN in column 'a', row 1"),
        (
            "a,b\n1,2\ninf,3\n4,5\n",
            "file.csv -k 2",
            "Column 'a' of file.csv has infinity in line 3",
        ),
        (
            "a,b\n1,7\n2,7\n4,7\n",
            "file.csv -k 2 --family gaussian --columns a,b",
            "Column 'b' of the file is constant",
        ),
        ("a\n1\n2\n1\n2\n", "file.csv -k 3", "-k 3, but only 2 of the 4 observations are"),
        ("no parquet", "file.parquet -k 2", "could not be read"),
        ("a", "file.doc -k 2", "file.doc has no rows"),
        (None, "square.csv -k 2 --out square.csv", "--out would overwrite square.csv"),
        (None, "square.csv -k 2 --columns x,x", "list of different names"),
        ("a,b\n", "file.csv -k 2", "has no rows"),
        ("a,b\nN/A,1\n1,2\n2,4\n", "file.csv -k 2 --family dirichlet", "NaN in column 'a', row 0"),
    ],
)
def test_every_error_is_one_sentence(folder, text, arguments, words):
    if text is not None:
        (folder / arguments.split()[0]).write_text(text)
    before = sorted(folder.iterdir())
    assert_one_sentence(run("fit", *arguments.split()), words)
    assert sorted(folder.iterdir()) == before


def test_messages_name_options_instead_of_arguments_except_in_quotes():
    sentence = in_options(
        f"{marked('n_init', 3)}, but 'n_init' and a/n_init.csv: use"
        f" {marked('init', repr('kmeans++'))}, not {marked('n_init')}."
    )
    assert (
        sentence == "--n-init 3, but 'n_init' and a/n_init.csv: use --init kmeans++, not --n-init."
    )


def test_a_fit_that_does_not_converge_prints_advice(folder):
    result = run("fit", "square.csv", "-k", "4", "--max-iter", "2", "--seed", "0")
    assert "within --max-iter 2 iterations: raise --max-iter" in result.stderr


def test_text_becomes_codes_for_families_of_categories(folder):
    kinds = [*"abba" * 5, *"ccdc" * 5]
    pl.DataFrame({"kind": kinds, "like": kinds}).write_csv("kinds.csv")
    result = run("fit", "kinds.csv", "-k", "2", "--family", "categorical", "--seed", "0")
    assert result.exit_code == 0, result.output
    assert "column 'kind' was turned into codes: 0 = a, 1 = b, 2 = c, 3 = d." in result.stderr


def test_the_help_names_every_initialisation(folder):
    assert "smyth" in run("fit", "--help").output


def test_demo_shows_metrics_and_writes_a_picture(folder):
    result = run("demo")
    assert result.exit_code == 0, result.output
    assert "purity" in result.output
    assert (folder / "boltzmix-demo.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_reproduce_writes_table_page_and_picture(folder):
    result = run("reproduce", "balanced-square", "--repeats", "2", "--out", str(folder))
    assert result.exit_code == 0, result.output
    saved = json.loads((folder / "balanced-square.json").read_text())
    assert saved["seeds"] == [0, 1]
    assert set(saved["values"]) == {"BEEM A/I", "BEEM A/II"}
    assert {"numpy", "scikit-learn", "boltzmix"} <= set(saved["versions"])
    assert "| BEEM | A | I |" in (folder / "balanced-square.md").read_text()
    assert (folder / "balanced-square.png").exists()


def test_unknown_experiments_are_an_error(folder):
    assert_one_sentence(run("reproduce", "table-9", "--out", "."), "no experiment 'table-9'")
    assert_one_sentence(run("reproduce", "--repeats", "0", "--out", "."), "--repeats must be")
    assert_one_sentence(run("reproduce", "--out", "nowhere"), "nowhere of --out does not exist")


def test_reproduce_draws_the_figures(folder):
    for name in ("simulations", "allocations"):
        assert run("reproduce", name, "--out", str(folder)).exit_code == 0
        assert (folder / f"{name}.png").exists()


def test_curves_are_fitted_from_columns_of_inputs_and_targets(folder):
    rng = np.random.default_rng(0)
    time = np.tile(np.linspace(0, 6, 40), 2)
    height = np.concatenate([np.sin(time[:40]), 4 + np.cos(time[40:])])
    frame = pl.DataFrame({"time": time, "height": height + 0.1 * rng.normal(size=80)})
    frame.write_csv(folder / "curves.csv")
    options = "--target height --seed 0 --out labels.csv --plot curves.png"
    result = run("fit", "curves.csv", "-k", "2", *options.split())
    assert result.exit_code == 0, result.output
    labels = pl.read_csv(folder / "labels.csv")["label"].to_numpy()
    assert len(set(labels[:40])) == len(set(labels[40:])) == 1
    assert labels[0] != labels[-1]
    assert (folder / "curves.png").stat().st_size > 10_000
    for arguments, sentence in (
        ("--target depth", "has no column 'depth'"),
        ("--family gp", "name the column of their values with --target"),
        ("--family gaussian --target height", "The family gaussian has no target"),
        ("--target height --sequence time", "--target and --sequence do not go together"),
        ("--target height,time", "no input of the curves"),
    ):
        assert_one_sentence(run("fit", "curves.csv", "-k", "2", *arguments.split()), sentence)


def test_regressions_are_fitted_by_formula(folder):
    rng = np.random.default_rng(0)
    n = 120
    frame = pl.DataFrame(
        {
            "age": rng.uniform(20, 60, n),
            "sex": rng.choice(["f", "m"], n),
            "years": rng.uniform(1, 3, n),
            "visits": rng.poisson(3, n),
        }
    )
    frame.write_csv(folder / "visits.csv")
    poisson = "visits.csv -k 1 --family poisson-regression --exposure years --json"
    for inputs in (
        "--target visits",
        "--formula visits~age+sex",
        "--target visits --formula age+sex",
    ):
        result = run("fit", *poisson.split(), *inputs.split())
        assert result.exit_code == 0, result.output
        facts = json.loads(result.stdout)
        found = facts["components"][0]["parameters"]["coefficients"]
        assert list(found) == ["age", "sex[m]"]
        assert facts["columns"] == ["age", "sex", "years"]
    for arguments, sentence in (
        ("--family poisson-regression", "name the column of their values with --target"),
        ("--family gaussian --exposure years", "--exposure is not for the family gaussian"),
        ("--family gp --target visits --formula age", "--formula is not for the family gp"),
        ("--family gamma-regression --target visits --trials years", "--trials is not for the"),
        ("--family poisson-regression --target age", "PoissonRegression takes counts"),
        ("--family poisson-regression --formula visits~height", "has no column 'height'"),
        ("--family poisson-regression --target height", "has no column 'height'"),
    ):
        assert_one_sentence(run("fit", "visits.csv", "-k", "2", *arguments.split()), sentence)


def test_measurements_are_gaussians_and_other_files_have_a_family_for_each_column(folder):
    rng = np.random.default_rng(0)
    rows = {"x": rng.normal(size=90), "y": rng.normal(size=90) + 5}
    more = {"status": rng.integers(3, size=90), "sex": rng.choice(["f", "m"], 90)}
    pl.DataFrame(rows).write_csv("measured.csv")
    pl.DataFrame({**rows, **more}).write_csv("mixed.csv")

    def families_of(*arguments):
        result = run("fit", *arguments, "-k", "2", "--seed", "0", "--json")
        assert result.exit_code == 0, result.stderr
        facts = json.loads(result.stdout)
        chosen = {one["column"]: one["family"] for one in facts.get("column_families", [])}
        return chosen or facts["family"]

    assert families_of("measured.csv") == "RobustGaussian"
    together = {"x": "RobustGaussian", "y": "RobustGaussian"}
    assert families_of("mixed.csv") == {**together, "status": "Categorical", "sex": "Bernoulli"}
    assert families_of("mixed.csv", "--columns", "x,y") == "RobustGaussian"
    assert families_of("mixed.csv", "--covariance", "diag", "--columns", "x,y,status") == (
        "RobustGaussian"
    )
    assert families_of("mixed.csv", "--family", "x,y=gaussian", "--exclude", "sex") == {
        "x": "Gaussian", "y": "Gaussian", "status": "Categorical",
    }  # fmt: skip
    compared = run("compare", "mixed.csv", "-k", "1..2", "--seed", "0", "--save", "best.bmix")
    assert compared.exit_code == 0, compared.stderr
    assert run("predict", "best.bmix", "mixed.csv").exit_code == 0
