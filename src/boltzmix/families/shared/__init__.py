"""What several families share: base classes, statistics, and validation of arguments and data."""
