"""Model files: versioned JSON and arrays in one zip, from which loading runs no code."""

from .container import CheckpointError, ModelFileError, UnknownFamilyError, write_whole
from .models import check_can_be_saved, load_model, save_model

__all__ = [
    "CheckpointError",
    "ModelFileError",
    "UnknownFamilyError",
    "check_can_be_saved",
    "load_model",
    "save_model",
    "write_whole",
]
