"""Drivers above the loop: they propose changes, try each by the loop, and accept or reject it."""
