"""Helpers for tests of the command."""

from typer.testing import CliRunner

from boltzmix.cli import app


def run(*arguments, stdin=None):
    return CliRunner().invoke(app, list(arguments), input=stdin)


def assert_one_sentence(result, words):
    assert result.exit_code == 1
    assert words in result.stderr
    assert result.stderr.startswith("boltzmix: ")
    assert len(result.stderr.strip().splitlines()) == 1
    assert "Traceback" not in result.output + result.stderr
