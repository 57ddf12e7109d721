"""The study: ask, build, replay, tell, within budgets; its journal, archive and selection."""
