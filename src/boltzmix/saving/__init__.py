"""Model files: versioned JSON and arrays in one zip, from which loading runs no code."""

from .errors import CheckpointError, ModelFileError
from .models import check_can_be_saved, load_model, save_model
from .whole import write_whole

__all__ = [
    "CheckpointError",
    "ModelFileError",
    "check_can_be_saved",
    "load_model",
    "save_model",
    "write_whole",
]
