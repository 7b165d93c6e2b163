"""TileLang kernels as level-1 MLIR: the tracer, the writer and the judge of numbers behind tt-tilelang."""
