"""`boltzmix inspect`: the contents of a model file."""

from typing import Annotated

import typer

from ..data import counted
from ..fitted import FittedMixture
from ..views import column_names, describe_iterations, listed
from .app import app
from .console import out, print_json
from .errors import OPTIONS, one_sentence_errors
from .facts import model_facts, plain
from .saved_models import MODEL, OWN, load_saved
from .summary import families_grid, print_choice, print_clusters, print_components, print_problems

SETTINGS = (
    "n_clusters",
    "membership",
    "algorithm",
    "init",
    "init_params",
    "n_init",
    "max_iter",
    "random_state",
)
NAMES = OPTIONS | {"membership": "--membership"}  # a word of messages, too, which stays there


@app.command()
def inspect(
    model_file: MODEL,
    family: OWN = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON, for machines.")] = False,
) -> None:
    """Show the contents of a model file: components, weights, and how they were learned.

    For example:

    boltzmix inspect flowers.bmix

    boltzmix inspect flowers.bmix --json
    """
    with one_sentence_errors():
        model = load_saved(model_file, family)
        if json:
            print_json(_facts(model))
        else:
            _show(str(model_file), model)


def _facts(model: FittedMixture) -> dict[str, object]:
    return {
        "estimator": type(model).__name__,
        **model_facts(model),
        "parameters": {name: plain(value) for name, value in _settings(model).items()},
        "about": plain(model.about_),
        "written_by": model.written_by_,
    }


def _show(path: str, model: FittedMixture) -> None:
    options = model.about_.get("way", {})
    names = options.get("columns") or list(map(str, getattr(model, "feature_names_in_", ())))
    named = f": {listed(names)}" if names else ""
    out.print(
        f"{path}: {type(model).__name__} of {len(model.components_)} {model.components_[0].name}"
        f" components, of {counted(len(names) or model.n_features_in_, 'column')}{named}"
    )
    source = f" from {model.about_['file']}" if "file" in model.about_ else ""
    ended = "converged" if model.converged_ else "not converged"
    out.print(
        f"Learned{source}: {counted(len(model.labels_), 'observation')}, {ended},"
        f" objective {model.lower_bound_:.4f}"
    )
    out.print(describe_iterations(model.history_))
    print_choice(model, out)
    settings = _settings(model).items()
    words = ", ".join(f"{NAMES.get(name, name)} {value!s:.60}" for name, value in settings)
    out.print(f"Learned with: {words}")
    if model.column_families_ is not None:
        out.print(families_grid(model.column_families_))
    columns = names or column_names(None, model.n_features_in_)
    print_clusters(model, out)
    print_components(model, columns, options.get("symbols", {}), "observations", out)
    print_problems(model, out)
    versions = ", ".join(f"{name} {version}" for name, version in model.written_by_.items())
    out.print(f"Written by: {versions}")


def _settings(model: FittedMixture) -> dict[str, object]:
    """Return the parameters that say how a model was learned, where there are any."""
    given = model.get_params(deep=False)
    return {name: given[name] for name in SETTINGS if given.get(name) is not None}
