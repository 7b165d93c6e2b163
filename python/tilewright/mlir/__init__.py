"""Writes a traced program as MLIR of level 1: upstream dialects, with places in the user's file."""
