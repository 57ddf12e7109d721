"""From source to binary: the application with its own commands, candidates with a toolchain, all cached."""
