"""What each column is like in each component."""
