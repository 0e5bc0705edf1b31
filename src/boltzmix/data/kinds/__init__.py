"""The kinds of data that are clustered."""
