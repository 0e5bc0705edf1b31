"""How the documentation is built: `make docs`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

import boltzmix

project = "boltzmix"
author = "The boltzmix developers"
project_copyright = "The boltzmix developers, BSD-3-Clause"
release = boltzmix.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "sphinx_copybutton",
    "sphinx_design",
    "mathml",
    "pictures",
]
exclude_patterns = ["_*"]
suppress_warnings = ["config.cache"]

myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 3

autosummary_generate = True
autodoc_typehints = "none"  # the docstrings say it, with shapes
autodoc_member_order = "bysource"
numpydoc_show_class_members = False  # the template lists them in full
default_role = "literal"

html_theme = "furo"
html_title = "boltzmix"
html_static_path = ["_static"]
templates_path = ["_templates"]
html_css_files = ["wide.css"]
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
