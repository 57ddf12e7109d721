"""Devices: `cuda` is the real thing, `cpu` the embedded default, `table` answers from a file."""
