"""Checkpoints: a fit that was interrupted goes on where it was, to the same bits."""

from .fingerprint import fingerprint
from .log import CheckpointLog, checkpointed

__all__ = ["CheckpointLog", "checkpointed", "fingerprint"]
