"""Contract suites that every plug-in must pass; import them in the tests of your own."""
