"""Helpers for tests of the command."""

from typer.testing import CliRunner

from boltzmix.cli import app


def run(*arguments, stdin=None):
    return CliRunner().invoke(app, list(arguments), input=stdin)


def assert_one_sentence(result, words):
    """Check that an error is one sentence, maybe below notes on how the file was read."""
    assert result.exit_code == 1
    lines = result.stderr.strip().splitlines()
    errors = [line for line in lines if not line.startswith("boltzmix: note: ")]
    assert len(errors) == 1
    assert errors[0].startswith("boltzmix: ")
    assert words in errors[0]
    assert "Traceback" not in result.output + result.stderr
