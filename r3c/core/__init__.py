"""Frozen values every other part of r3c speaks in; standard library only."""
