"""Generated programs about what surrounds threads, and models of it: descriptors, signals, processes."""
