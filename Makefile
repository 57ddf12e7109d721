# What people do here; `make help` lists it. Everything runs in .venv, which is made when it is needed.
PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
CACHE := $(CURDIR)/$(VENV)/cache
PIP := PIP_CACHE_DIR=$(CACHE)/pip PIP_DISABLE_PIP_VERSION_CHECK=1 $(PY) -m pip install -qq
# A processor-only build where one is at hand; another version is chosen with TORCH=...
TORCH ?= torch==2.13.0
APP ?= samples/matmul
DEMO := --device auto --seed 1 --max-trials 40 --max-time 3m
export R3C_CACHE ?= $(CACHE)/r3c

.PHONY: help demo test check fuzz corpora wheel clean
help: ## this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

$(VENV)/made:
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/base: $(VENV)/made setup.py
	$(PIP) -e .
	@touch $@

# The surrogate needs torch. Where it cannot be installed, everything else works and the random tuner is used.
$(VENV)/surrogate: $(VENV)/base
	-$(PIP) $(TORCH) && $(PIP) -e '.[surrogate]' && touch $@

$(VENV)/dev: $(VENV)/base
	$(PIP) -e '.[dev]'
	@touch $@

demo: $(VENV)/base ## make a kernel of a sample faster, on this machine, with a report
	@$(MAKE) -s $(VENV)/surrogate
	$(PY) -m r3c optimize $(APP) $(DEMO)

test: $(VENV)/dev ## run the tests
	@$(MAKE) -s $(VENV)/surrogate
	$(PY) -m pytest

check: $(VENV)/dev ## lint, format, types, import directions
	$(VENV)/bin/ruff check r3c tests benchmarks setup.py
	$(VENV)/bin/ruff format --check r3c tests benchmarks setup.py
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports

fuzz: $(VENV)/dev ## the long versions of the property tests
	$(PY) benchmarks/fuzz_parse.py
	$(PY) benchmarks/fuzz_rewrites.py

corpora: $(VENV)/base ## how a folder of CUDA sources parses: make corpora CORPORA=DIR
	$(PY) benchmarks/corpora.py $(CORPORA)

wheel: $(VENV)/dev ## build wheel and source distribution into dist/
	$(PY) -m build

clean: ## remove what was made here
	rm -rf $(VENV) build dist *.egg-info samples/*/r3c-out
