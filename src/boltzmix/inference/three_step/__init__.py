"""Relations of components to variables outside the mixture."""
