"""The command line: one file a command, and the screen."""
