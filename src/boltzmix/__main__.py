"""The `boltzmix` command."""

import sys

PACKAGES = ("typer", "rich", "polars", "fastexcel", "matplotlib")  # installable from a clone, too


def main() -> None:
    """Run the command, or say which packages it misses."""
    try:
        from .cli import app
    except ImportError as error:
        if error.name not in PACKAGES:
            raise
        sys.exit(f"boltzmix: the command needs more packages: pip install {' '.join(PACKAGES)}.")
    app()


if __name__ == "__main__":
    main()
