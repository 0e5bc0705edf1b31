"""Model files with formulas and settings that are attacks: nothing runs, and nothing is written."""

import json
import warnings
from copy import deepcopy

import numpy as np
import pandas as pd
import pytest

import boltzmix
from boltzmix import GaussianMixture, Mixture
from boltzmix.families import Gaussian, GrowthCurve, LinearRegression
from fuzz.generators.formulas import ATTACKS, CANARY
from fuzz.generators.watching import Watched, watched
from tests.command import assert_one_sentence, run
from tests.saving.test_damaged import entries_of, load_error, write

RNG = np.random.default_rng(0)
FRAME = pd.DataFrame(
    {"a": RNG.normal(size=40), "b": RNG.normal(size=40), "sex": ["f", "m"] * 20}
).assign(y=RNG.normal(size=40))
TEXTS = ("y ~ a*sex", "a*sex")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Return a folder with a mixture of regressions, one with covariates, and one of points."""
    folder = tmp_path_factory.mktemp("models")
    models = {
        "regression": Mixture(LinearRegression(formula="y ~ a*sex"), 2, max_iter=2),
        "membership": Mixture(Gaussian(), 2, membership="a*sex", max_iter=2),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, model in models.items():
            model.set_params(random_state=0).fit(FRAME).save(folder / name)
        state = np.random.RandomState(0)
        GaussianMixture(2, random_state=state).fit(FRAME[["a", "b"]]).save(folder / "points")
    return folder


def replaced(node, change):
    """Return a JSON document in which formulas are others; `change` gets the old one."""
    if isinstance(node, dict):
        return {key: replaced(one, change) for key, one in node.items()}
    if isinstance(node, list):
        return [replaced(one, change) for one in node]
    return change(node) if node in TEXTS else node


def forge(files, name, path, change):
    """Write a model file whose document `change` has changed, with valid checksums."""
    entries = entries_of(files / name)
    document = change(json.loads(entries["model.json"]))
    write(path, {**entries, "model.json": json.dumps(document).encode()})
    return path


def forge_formula(files, name, path, evil):
    """Write a model file with an evil formula wherever it has one."""

    def change(text):
        return f"y ~ {evil}" if text.startswith("y ~") else evil

    return forge(files, name, path, lambda document: replaced(document, change))


def shell_formulas(trace):
    """Return formulas that would make a file, were they run as Python."""
    code = f"__import__('pathlib').Path({str(trace)!r}).touch()"
    letters = "+".join(f"(chr)({ord(letter)})" for letter in code)
    return [
        f"{{a*0+((eval)({letters}))}}",
        f"a*sex + I(((eval)({letters})))",
        f"a:sex + C((eval)({letters}))",
        f"a*sex + {code}",
        f"`a`*sex + {{{code}}}",
        f"(eval)({code!r}) + a*sex",
        f"a*sex + {{(lambda: {code})()}}",
        f"a*sex + [{code} for x in (1,)][0]",
        f"a*sex + f'{{{code}}}'",
        f"a*sex + (z := {code})",
        f"a*sex + log.__class__.__base__.__subclasses__()[0]({code})",
        f"a*sex + np.f2py.os.system('touch {trace}')",
        f"a*sex + (np.f2py.os.system)('touch {trace}')",
        f"a*sex:\uff45\uff56\uff41\uff4c({code!r})",
        f"`{code}` * sex",
    ]


@pytest.mark.parametrize("name", ["regression", "membership"])
@pytest.mark.parametrize("number", range(len(shell_formulas(""))))
def test_a_formula_in_a_model_file_runs_nothing(files, tmp_path, monkeypatch, name, number):
    monkeypatch.chdir(tmp_path)
    trace = tmp_path / "trace"
    evil = shell_formulas(trace)[number]
    path = forge_formula(files, name, tmp_path / "evil.bmix", evil)
    FRAME.to_csv("x.csv", index=False)
    assert_one_sentence(run("predict", "evil.bmix", "x.csv"), "evil.bmix is damaged")
    assert_one_sentence(run("inspect", "evil.bmix"), "evil.bmix is damaged")
    load_error(path)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["evil.bmix", "x.csv"]


@pytest.mark.parametrize("name", ["regression", "membership"])
def test_every_attack_on_formulas_in_a_model_file_is_only_text(files, tmp_path, name):
    ours, path = ("import", "open", "compile", "exec"), tmp_path / "evil.bmix"
    for attack in ATTACKS:
        forge_formula(files, name, path, f"a*sex + {attack}")
        events = Watched(CANARY, ours)
        with watched(events, closely=True):
            try:
                boltzmix.load(path).predict(FRAME)
            except ValueError as error:
                assert len(str(error).splitlines()) == 1
        assert [one for one in events.found if "canary" in one or "<" in one] == [], attack


@pytest.mark.parametrize("place", range(4))
def test_each_place_of_a_formula_is_checked(files, tmp_path, place):
    evil, seen = "(eval)(a)", []

    def change(text):
        seen.append(text)
        return evil if len(seen) - 1 == place else text

    path = tmp_path / "evil.bmix"
    forge(files, "regression", path, lambda document: replaced(document, change))
    load_error(path)
    seen.clear()
    forge(files, "membership", path, lambda document: replaced(document, change))
    if place < len(seen):
        load_error(path)
    assert len(seen) >= 2


def test_a_formula_that_is_too_large_is_an_error(files, tmp_path):
    path = tmp_path / "evil.bmix"
    for evil in ["(" * 5000, "a" + "**9999999999" * 99, "a + " * 9999 + "a", "-" * 9000 + "a"]:
        forge_formula(files, "regression", path, evil)
        load_error(path)


def with_parameters(**changes):
    """Return a change of a document that sets parameters of the estimator."""

    def change(document):
        document = deepcopy(document)
        content = dict(map(tuple, document["dict"]))["parameters"]["dict"]
        kept = [pair for pair in content if pair[0] not in changes]
        content[:] = [*kept, *map(list, changes.items())]
        return document

    return change


@pytest.mark.parametrize("name", ["regression", "points"])
@pytest.mark.parametrize(
    "changes",
    [
        {"checkpoint": "trace"},
        {"checkpoint": "/tmp/trace"},
        {"checkpoint": "../trace"},
        {"checkpoint": ""},
        {"checkpoint": {"tuple": ["trace"]}},
        {"verbose": {"distribution": "norm"}},
        {"verbose": "trace"},
        {"random_state": {"distribution": "norm"}},
        {"random_state": {"generator": {"dict": [["bit_generator", "MT19937"]]}}},
    ],
    ids=str,
)
def test_settings_that_write_or_call_are_an_error(files, tmp_path, monkeypatch, name, changes):
    monkeypatch.chdir(tmp_path)
    path = forge(files, name, tmp_path / "evil.bmix", with_parameters(**changes))
    load_error(path)
    assert [one.name for one in tmp_path.iterdir()] == ["evil.bmix"]


@pytest.mark.parametrize("position", [-1, 625, 10**9, -(2**31)])
def test_a_generator_beside_its_numbers_is_an_error(files, tmp_path, position):
    def change(document):
        text = json.dumps(document)
        at = text.index('["pos", ') + len('["pos", ')
        return json.loads(text[:at] + str(position) + text[text.index("]", at) :])

    path = forge(files, "points", tmp_path / "evil.bmix", change)
    assert "pos of a generator cannot be" in load_error(path)


@pytest.mark.parametrize("position", [-1, 5, 10**6])
def test_a_philox_beside_its_numbers_is_an_error(files, tmp_path, position):
    model = Mixture(Gaussian(), 2, random_state=np.random.Generator(np.random.Philox(0)))
    model.fit(FRAME[["a", "b"]]).save(tmp_path / "m.bmix")
    text = entries_of(tmp_path / "m.bmix")["model.json"].decode()
    at = text.index('["buffer_pos", ') + len('["buffer_pos", ')
    forged = text[:at] + str(position) + text[text.index("]", at) :]
    write(tmp_path / "m.bmix", {**entries_of(tmp_path / "m.bmix"), "model.json": forged.encode()})
    assert "buffer_pos of a generator cannot be" in load_error(tmp_path / "m.bmix")


def test_loaded_models_with_formulas_predict_as_before(files):
    for name in ("regression", "membership"):
        model = boltzmix.load(files / name)
        model.save(files / "again")
        again = boltzmix.load(files / "again")
        assert np.array_equal(model.predict_proba(FRAME), again.predict_proba(FRAME))


@pytest.mark.parametrize("option", ["--membership", "--formula"])
def test_formulas_of_the_command_run_nothing(tmp_path, monkeypatch, option):
    monkeypatch.chdir(tmp_path)
    FRAME.to_csv("x.csv", index=False)
    for evil in shell_formulas(tmp_path / "trace"):
        regression = ["--family", "linear-regression", "--target", "y"]
        family = regression if option == "--formula" else []
        made = run("fit", "x.csv", "-k", "2", *family, option, evil)
        assert made.exit_code == 1
        assert "Traceback" not in made.output + made.stderr
    assert [one.name for one in tmp_path.iterdir()] == ["x.csv"]


@pytest.mark.parametrize("degree", [2, 30, 100])
def test_a_degree_that_its_features_do_not_have_is_an_error(files, tmp_path, degree):
    def change(document):
        return json.loads(json.dumps(document).replace('"degree": 1', f'"degree": {degree}'))

    path = forge(files, "regression", tmp_path / "evil.bmix", change)
    assert f"of degree {degree} on 3 input(s) cannot have 3 feature(s)" in load_error(path)


def test_arrays_of_growth_curves_must_fit_together(tmp_path):
    times = np.arange(5.0)
    model = Mixture(GrowthCurve(), 1, random_state=0)
    model.fit([(times, RNG.normal(times)) for _ in range(9)]).save(tmp_path / "m.bmix")
    document = json.loads(entries_of(tmp_path / "m.bmix")["model.json"])
    text = json.dumps(document)
    for name in ("breaks", "pieces", "effects", "level", "centre", "covariance"):
        at = text.index(f'"{name}": {{"array": ') + len(f'"{name}": {{"array": ')
        end = text.index("}", at)
        for other in {"0", "1", "3", "6", "8"} - {text[at:end]}:
            forged = f"{text[:at]}{other}{text[end:]}".encode()
            entries = {**entries_of(tmp_path / "m.bmix"), "model.json": forged}
            write(tmp_path / "evil.bmix", entries)
            load_error(tmp_path / "evil.bmix")
