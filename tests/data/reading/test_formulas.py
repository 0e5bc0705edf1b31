"""Formulas: the columns of formulaic, and nothing that runs as code."""

import random
import warnings

import formulaic
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from boltzmix.data import Design
from fuzz.generators.formulas import ATTACKS, CANARY, problem_of, run, table

RNG = np.random.default_rng(0)
N = 24
FRAME = pd.DataFrame(
    {
        "a": RNG.uniform(1, 3, N),
        "b": RNG.uniform(1, 3, N),
        "sex": ["f", "m"] * 12,
        "g": ["x", "y", "z"] * 8,
        "h": ["p", "q", "q", "p"] * 6,
        "one": ["u"] * N,
        "body mass": RNG.uniform(1, 3, N),
    }
)
KNOWN = """\
a:b; b:a; a*b; b*a*sex; a:sex; sex:a; sex*g; g:sex; sex:g:h; sex*g*h; g + sex:g; one*a; one:a;
sex + g:sex; g:sex + a:g; a/b; sex/a; sex/g; (a+b)/g; g/(a+b); (a+b)**2; (a+b+g)^2; a**2; a + 1;
one:sex; a*b - a; a*b - a:b; a*b - b:a; a - b + g; a:a; sex:sex; (a:sex)**2; a*b:g; a:b*g; a/b*g;
a*b/g; sex:a:g; a - (b + a) + g; (a + b):(sex + g); log(a); np.log(a); log(a)*log(b); I(a**2);
I(a + b*2 - 3/a); a:sex:b; I((a + b)*2); I(a*(b*2)); I(a-(b-1)); I(-a**2); I((-a)**2); I(a**-b);
I((2**3)**a); I(-(a+b)); g:a:sex; I(+a); I(a/b/2); I(a/(b/2)); {a+1}; {a}; {a}:{b}; I(a); I(sex);
{sex}; C(sex); C(sex)*g; C(sex):g; ~a*b; C(sex) + sex; `body mass`*a; I(`body mass`**2);
{`body mass`+1}; np.abs(a)*b; I(1e2*a)*b; I(.5*a)*b; I(1.50*a)*b; a+a*b; a*b+a; a:g+a; g:a+a;
g:a+g; g:a; sex:g:a + sex:a; sex:g:a + sex:g; sex:g + g; sex*g - sex; sex*g - g - sex; g*h - g:h;
sex:g + sex:h; sex:g + sex:h + g:h; sex:h + a*b; ((a))*b; sex/(g*a); (sex+g)/a;
(sex + a)/(g + b); (a + 1):(b + 1); I(10**-2*a):b; I(2*-a):b; I(a--b):b; I(a*b**2):b;
I((a*b)**2):b; I((a-b)-1):b; I((a/b)*2):b; I(log(a)**2):b; I(a**(b+1)):b; I(--a):b;
exp(a) + log10(a) + log2(a); I(log(a) + exp(-b)) * g; C(C(sex))*a; log(I(a))*b"""


def of_formulaic(text):
    """Return names and columns without the intercept, as formulaic has them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = formulaic.model_matrix(text, FRAME)
    found = found.drop(columns="Intercept")
    return [one.replace("[T.", "[") for one in found.columns], found.to_numpy(float)


def assert_equal_to_formulaic(text):
    names, values = of_formulaic(text)
    design = Design.of(text, FRAME)
    assert list(design.names) == names, text
    assert_allclose(design.matrix(FRAME), values, rtol=1e-13, err_msg=text)


@pytest.mark.parametrize("text", [one.strip() for one in KNOWN.split(";")])
def test_columns_are_those_of_formulaic(text):
    assert_equal_to_formulaic(text)


def random_terms(rng, depth):
    """Return a formula of columns, signs and parentheses."""
    if depth == 0 or rng.random() < 0.3:
        return rng.choice(["a", "b", "sex", "g", "h", "one", "C(sex)", "log(a)", "I(a - b)"])
    sign = rng.choice(["+", "+", "*", ":", "/", "-"])
    inside = f"{random_terms(rng, depth - 1)} {sign} {random_terms(rng, depth - 1)}"
    return rng.choice([inside, f"({inside})", f"({inside})**2"])


def test_random_formulas_have_the_columns_of_formulaic():
    rng, compared = random.Random(0), 0
    while compared < 150:
        text = f"{random_terms(rng, 3)} + {random_terms(rng, 2)}"
        if len(Design.of(text, FRAME)) not in range(1, 300):
            continue
        assert_equal_to_formulaic(text)
        compared += 1


def test_functions_beyond_those_of_formulaic_compute_as_numpy_does():
    design = Design.of("log1p(a) + abs(I(-b)) + I(a^2) + sqrt(b)", FRAME)
    a, b = FRAME["a"], FRAME["b"]
    assert design.names == ("log1p(a)", "abs(I(-b))", "I(a ** 2)", "sqrt(b)")
    assert_allclose(design.matrix(FRAME).T, [np.log1p(a), b, a**2, np.sqrt(b)])


@pytest.mark.parametrize("closely", [True, False])
@pytest.mark.parametrize("form", ["{}", "a + {}", "{} * a", "a:{} + b", "I({})", "{{{}}}", "C({})"])
def test_attacks_run_nothing_and_end_in_a_matrix_or_a_sentence(form, closely):
    frame = table()
    found = {one: problem_of(form.format(one), frame, closely) for one in ATTACKS}
    assert {one: problem for one, (problem, _) in found.items() if problem} == {}


@pytest.mark.parametrize("name", [one for one in table().columns if "canary" in one])
def test_a_name_that_is_code_is_only_a_name(name):
    frame = table()
    assert problem_of(f"`{name}` * a", frame, closely=True) == ("", True)
    assert problem_of(f"{name} + a", frame, closely=True) == ("", True)
    assert problem_of(f"log(`{name}`) + a:sex", frame, closely=True) == ("", True)
    assert_allclose(Design.of(f"`{name}` * a", frame).matrix(frame)[:, 0], frame[name])
    assert CANARY in name


def test_a_column_with_the_name_of_a_function_of_another_is_not_that_function():
    frame = FRAME.assign(**{"log(a)": 7.0})
    matrix = Design.of("log(a):b + `log(a)`", frame).matrix(frame)
    assert_allclose(matrix.T, [np.full(N, 7.0), np.log(frame["a"]) * frame["b"]])


def test_a_watched_call_is_noticed():
    class Reader(pd.DataFrame):
        @property
        def shape(self):
            eval(f"{CANARY}()")
            return super().shape

    problem, _ = problem_of("a:a", Reader({"a": [1.0, 2.0]}), closely=True)
    assert "the canary was called" in problem
    assert "eval was called" in problem


def test_a_thousand_fuzzed_formulas(capsys):
    assert run(1000, 10**6, minutes=5) == 0
    *_, matrices, _, _, _ = capsys.readouterr().out.split()
    assert int(matrices) > 200


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(" * 60 + "a" + ")" * 60, "parts inside one another"),
        ("I(" + "a + " * 200 + "a)", "operations inside one another"),
        ("I(a" + "**a" * 200 + ")", "parts inside one another"),
        ("a:" * 6000 + "a", "more than 10000 letters"),
        (":".join(f"I(a + {n})" for n in range(9)), "a term of more than 8 factors"),
        ("(" + " + ".join(f"I(a + {n})" for n in range(16)) + ")**4", "more than 1000 terms"),
        (":".join(["(a*b*g*h*sex*one*C(sex)*C(g))"] * 99), "too many interactions"),
        ("a - 1", "leaves the intercept out"),
        ("log(sex)", "computes with column 'sex', which has categories"),
        ("a:2", "2 is no term"),
        ("I(2)*a", "'I(2)' has no column in it"),
        ("a**b", "the power of a term is no whole number above zero"),
        ("log(a, b)", "', b)' is none of what it may have"),
        ("a ~ b", "something before the tilde"),
        ("a ~ b ~ g", "more than one tilde"),
        ("log(C(sex))", "computes with the categories that C() makes"),
        ("I(1e999 * a)", "too large a number"),
        ("a b", "put names of columns that have spaces or signs between back quotes"),
    ],
)
def test_what_is_no_formula_gets_one_sentence(text, message):
    with pytest.raises(ValueError) as caught:
        Design.of(text, FRAME)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 400


def test_too_many_columns_are_an_error():
    many = pd.DataFrame({name: [f"{n}" for n in range(150)] for name in "ab"})
    with pytest.raises(ValueError, match="makes more than 10000 columns"):
        Design.of("a:b", many)


def test_infinite_products_are_named():
    with pytest.raises(
        ValueError, match=r"The term 'exp\(I\(a \* 1000\)\):g\[x\]' of the formula is"
    ):
        Design.of("exp(I(a*1000)):g", FRAME).matrix(FRAME)
