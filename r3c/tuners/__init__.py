"""Tuners choose numbers: tile sizes, unroll factors, launch shape, compiler flags."""
