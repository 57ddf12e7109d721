"""Recordings of real launches: raw captures in, a store of content-hashed chunks out."""
