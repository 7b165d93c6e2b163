"""The language: what `import tilelang.language as T` offers, one idea a file."""
