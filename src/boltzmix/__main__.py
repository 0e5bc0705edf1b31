"""The `boltzmix` command."""

import os
import sys

PACKAGES = ("typer", "rich", "polars", "fastexcel", "matplotlib")  # installable from a clone, too
INTERRUPTED = 130  # the exit code of a command that Ctrl-C stopped, by convention


def main() -> None:
    """Run the command, or say which packages it misses.

    Characters that the encoding of standard output lacks are printed with escapes.
    """
    try:
        _open_closed()
        for stream in filter(None, (sys.stdout, sys.stderr)):
            stream.reconfigure(errors="backslashreplace")
        _run()
    except KeyboardInterrupt:
        _end("boltzmix: stopped by Ctrl-C.", INTERRUPTED)
    except OSError as error:  # of help texts: subcommands have sentences of their own
        _end(f"boltzmix: Standard output could not be written: {error.strerror or error}.", 1)
    except Exception as error:
        if not _is_interrupt(error):
            raise
        _end("boltzmix: stopped by Ctrl-C.", INTERRUPTED)


def _run() -> None:
    try:
        from .cli import app
    except ImportError as error:
        if error.name not in PACKAGES:
            raise
        sys.exit(f"boltzmix: the command needs more packages: pip install {' '.join(PACKAGES)}.")
    app()


def _is_interrupt(error: BaseException | None) -> bool:
    """Return whether an error was made of Ctrl-C, as modules do while they are imported."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _open_closed() -> None:
    """Open what standard streams lack, so that no file gets the number of one."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


def _end(sentence: str, code: int) -> None:
    """Print a sentence, and end at once: nothing of what is in memory is to be written."""
    if sys.stderr is not None:
        print(sentence, file=sys.stderr, flush=True)
    os._exit(code)


if __name__ == "__main__":
    main()
