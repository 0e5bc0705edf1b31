"""What is wrong with a model file."""


class ModelFileError(ValueError):
    """A model file that cannot be read; the sentence names the file and says why."""
