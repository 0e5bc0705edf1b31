"""What is wrong with a file."""


class ModelFileError(ValueError):
    """A model file that cannot be read; the sentence names the file and says why."""


class CheckpointError(ValueError):
    """A checkpoint that cannot be used; the sentence names the file and says why."""
