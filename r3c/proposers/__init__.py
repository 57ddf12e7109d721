"""Proposers choose structure: which rewrites, at which sites, in which order."""
