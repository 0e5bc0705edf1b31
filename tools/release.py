"""Build a release, check it, try it in a fresh environment, and upload it if an index is given.

`make release` builds and tries. `make release INDEX=URL` also uploads,
with the credentials that twine finds. The version is the latest tag: `git tag v0.1.0` first.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from argparse import ArgumentParser
from email import message_from_bytes
from email.message import Message
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
PROGRAM = ROOT / "tests" / "user_program.py"
RELATIVE_LINK = re.compile(r"\]\((?!https?:|#)[^)]*\)")


def main() -> None:
    """Do all steps, and stop at the first that fails."""
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--index", help="the address to upload to; without it, nothing is uploaded")
    options = parser.parse_args()
    wheel = build()
    version = check(wheel)
    if options.index and "+" in version:
        sys.exit(f"Version {version} is not that of a tag: commit all changes, then tag them.")
    try_out(wheel, version)
    if options.index:
        run(sys.executable, "-m", "twine", "upload", "--repository-url", options.index, *packages())
    else:
        print("Nothing was uploaded: INDEX was not given.")


def build() -> Path:
    """Build the source distribution, and the wheel from it."""
    shutil.rmtree(DIST, ignore_errors=True)
    run(sys.executable, "-m", "build", "--outdir", str(DIST), str(ROOT))
    return next(DIST.glob("*.whl"))


def packages() -> list[str]:
    """Return the files to upload."""
    return sorted(map(str, DIST.iterdir()))


def check(wheel: Path) -> str:
    """Check the metadata, and that readme's links work on the index; return the version."""
    run(sys.executable, "-m", "twine", "check", "--strict", *packages())
    metadata = read_metadata(wheel)
    links = RELATIVE_LINK.findall(str(metadata.get_payload()))
    if links:
        sys.exit(f"These links of the readme would not work on the index: {', '.join(links)}")
    return str(metadata["Version"])


def read_metadata(wheel: Path) -> Message:
    """Return the metadata of a wheel; the readme is the payload."""
    with ZipFile(wheel) as archive:
        name = next(one for one in archive.namelist() if one.endswith(".dist-info/METADATA"))
        return message_from_bytes(archive.read(name))


def try_out(wheel: Path, version: str) -> None:
    """Install the wheel in a fresh environment, run the demo, and check types as users see them."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        venv.create(home / "venv", with_pip=True)
        scripts = home / "venv" / ("Scripts" if os.name == "nt" else "bin")
        run(str(scripts / "pip"), "install", "--quiet", f"{wheel}[cli,plot]", "mypy")
        shown = run(str(scripts / "boltzmix"), "--version", cwd=home)
        if shown.strip() != f"boltzmix {version}":
            sys.exit(f"The command says {shown.strip()!r}, but the wheel is {version}.")
        print(run(str(scripts / "boltzmix"), "demo", cwd=home))
        shutil.copy(PROGRAM, home)
        run(str(scripts / "mypy"), "--strict", PROGRAM.name, cwd=home)
        run(str(scripts / "python"), PROGRAM.name, cwd=home)
    print(f"boltzmix {version} works in a fresh environment.")


def run(*command: str, cwd: Path = ROOT) -> str:
    """Run a command and return its output; stop if it fails."""
    print("$", *(Path(command[0]).name, *command[1:]), flush=True)
    own = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, cwd=cwd, env=own, text=True, stdout=subprocess.PIPE)
    if done.returncode:
        print(done.stdout)
        sys.exit(f"It failed: {' '.join(command)}")
    return done.stdout


if __name__ == "__main__":
    main()
