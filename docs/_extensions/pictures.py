"""Pictures of the pages, made by the very code that the pages show.

Wherever an image from `pictures/` follows a block of Python, what the block has drawn becomes that
image. The blocks of a page run in order, and share their names. The files of `data/`, which the
tutorials read, are copied to the folder in which the blocks run.
"""

import os
import re
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

BLOCK = re.compile(r"```python\n(.*?)```(?:\s*!\[[^\]]*\]\((pictures/[\w-]+\.png)\))?", re.DOTALL)


def run_blocks(page: Path, pictures: Path) -> list[Path]:
    """Run the Python of a page in order in the current folder, and save what it draws.

    Parameters
    ----------
    page : Path
    pictures : Path
        The folder in which `pictures/` is.

    Returns
    -------
    list of Path
        The pictures made.
    """
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    module = ModuleType(f"page_{page.stem.replace('-', '_')}")
    sys.modules[module.__name__] = module  # so that what it defines can be pickled
    for file in page.parent.glob("data/*.csv"):
        shutil.copy(file, Path.cwd())
    made = []
    plt.close("all")
    for code, picture in BLOCK.findall(page.read_text()):
        exec(compile(code, page.name, "exec"), module.__dict__)
        figures = plt.get_fignums()
        if picture and len(figures) != 1:
            raise ValueError(f"{page.name}: {picture} needs one figure, not {len(figures)}.")
        if picture:
            made.append(pictures / picture)
            made[-1].parent.mkdir(parents=True, exist_ok=True)
            plt.figure(figures[0]).savefig(made[-1], dpi=110)
        plt.close("all")
    del sys.modules[module.__name__]
    return made


def _make_pictures(app: Any) -> None:
    source, home = Path(app.srcdir), Path.cwd()
    for page in sorted(source.glob("*.md")):
        if "(pictures/" in page.read_text():
            with TemporaryDirectory() as folder:
                os.chdir(folder)
                try:
                    run_blocks(page, source)
                finally:
                    os.chdir(home)


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx."""
    app.connect("builder-inited", _make_pictures)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
