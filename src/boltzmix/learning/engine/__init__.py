"""The one loop: E-step, M-step, the states it yields, randomness and threads."""
