"""Regressions of targets on inputs."""
