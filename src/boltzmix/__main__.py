"""The `boltzmix` command."""

import sys


def main() -> None:
    """Run the command, or say which packages it misses."""
    try:
        from .cli import app
    except ImportError as error:
        if error.name not in ("typer", "rich", "polars"):
            raise
        sys.exit("boltzmix: the command needs more packages: pip install 'boltzmix[cli,plot]'.")
    app()


if __name__ == "__main__":
    main()
