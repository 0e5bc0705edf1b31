"""Model files: versioned JSON and arrays in one zip, from which loading runs no code."""

from .errors import ModelFileError
from .models import SavedModel, load_model
from .whole import write_whole

__all__ = ["ModelFileError", "SavedModel", "load_model", "write_whole"]
