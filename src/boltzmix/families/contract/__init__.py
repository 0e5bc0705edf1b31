"""The contract of a family, with which learning works: bank, capabilities, description."""
