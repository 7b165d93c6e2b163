"""The parts of the tracer, each for one kind of call of the language."""
