"""What learning knows of a family: its contract, the bank of its components, and capabilities."""
