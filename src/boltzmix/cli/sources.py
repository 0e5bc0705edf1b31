"""What the options say of the file, and as what it is read."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..files import ReadOptions
from .families import OF_CODES
from .regressions import OF_FORMULAS, RegressionOptions


@dataclass(frozen=True)
class Source:
    """A file, and the columns that options name.

    Parameters
    ----------
    file : Path
    columns, sequence, order : str, optional
    regression : RegressionOptions
    membership : str, optional
        Covariates of membership, as a formula.
    slopes, normalise : bool
        What is done with sequences after reading.
    trajectory, time : str, optional
    id_column : str, optional
        The column that names rows.
    """

    file: Path
    columns: str | None
    sequence: str | None
    order: str | None
    regression: RegressionOptions
    membership: str | None = None
    slopes: bool = False
    normalise: bool = False
    trajectory: str | None = None
    time: str | None = None
    id_column: str | None = None

    @property
    def default_family(self) -> str:
        """The name of the family, where no option names one."""
        rows = "hmm" if self.sequence else "robust-gaussian"
        if self.trajectory:
            return "growth-curve"
        return self.regression.default_family or rows

    def options(self, names: Sequence[str], emission: str | None) -> ReadOptions:
        """Return how the file is read for some families, which must be the same for all."""
        found = [self._options(name, emission) for name in names]
        if any(one != found[0] for one in found):
            raise ValueError(
                f"--family {','.join(names)} names families that read the file in different ways:"
                " compare them one at a time."
            )
        return found[0]

    def _options(self, name: str, emission: str | None) -> ReadOptions:
        features = self.columns.split(",") if self.columns else None
        check_columns(self.sequence, self.order, features)
        self._check_trajectories(features)
        self._check_id(features)
        targets, others = self.regression.targets, self.regression.others.values()
        if targets and self.sequence:
            raise ValueError("--target and --sequence do not go together: leave one of them out.")
        return ReadOptions(
            columns=features and [*features, *(name for name in others if name not in features)],
            sequence=self.sequence,
            order=self.order,
            targets=targets,
            codes=name in OF_CODES or emission in OF_CODES,
            mixed=name == "auto" or name in OF_FORMULAS,
            single=name == "markov-chain",
            membership=self.membership,
            slopes=self.slopes,
            normalise=self.normalise,
            trajectory=self.trajectory,
            time=self.time,
            id_column=self.id_column,
        )

    def _check_id(self, features: list[str] | None) -> None:
        """Raise an error if the column that names rows is also something else."""
        if self.id_column is not None and (self.sequence or self.trajectory):
            raise ValueError(
                "--id names the rows of a table: leave it out, as labels of sequences and"
                " trajectories have their names anyway."
            )
        if self.id_column in [*(features or ()), *self.regression.targets]:
            raise ValueError(f"--id and another option both name column {self.id_column!r}.")

    def _check_trajectories(self, features: list[str] | None) -> None:
        """Raise an error if the options of trajectories contradict others."""
        if (self.trajectory is None) != (self.time is None):
            raise ValueError(
                "--trajectory and --time go together: name the column that says which trajectory a"
                " row belongs to, and the column of times."
            )
        if self.trajectory is None:
            return
        if self.sequence or self.regression.targets:
            raise ValueError("--trajectory goes with neither --sequence nor --target.")
        named = [self.trajectory, self.time, *(features or [])]
        if len(set(named)) < len(named):
            raise ValueError("--trajectory, --time and --columns must name different columns.")


def check_columns(sequence: str | None, order: str | None, features: list[str] | None) -> None:
    """Raise an error if a column is named by two options."""
    if order is not None and sequence is None:
        raise ValueError(
            "--order sorts the steps of sequences: name the column that says which sequence a row"
            " belongs to with --sequence."
        )
    if order is not None and order == sequence:
        raise ValueError(f"--sequence and --order both name column {order!r}: choose two.")
    for option, key in (("--sequence", sequence), ("--order", order)):
        if key is not None and key in (features or []):
            raise ValueError(f"{option} and --columns both name column {key!r}: name it once.")
