"""Replays a recording with a candidate's binary: restore, poison, run, compare, time; in a process of its own."""
