# Two commands on a fresh machine with Python 3.11: `make demo` and `make test`.
# Everything is installed into .venv inside this checkout.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN    := .venv/bin

.PHONY: demo test check docs clean trust

.venv/demo: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

.venv/test: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	touch $@

demo: .venv/demo
	$(BIN)/aver demo

check: .venv/test
	$(BIN)/ruff check src tests benchmarks docs
	$(BIN)/mypy

test: check
	$(BIN)/python -m pytest -n 2

docs: .venv/test
	$(BIN)/python docs/generate.py

# the trust reports of docs/trust and the figures on cards, proved again; benchmarks/prove.py says how long it takes
trust: .venv/test
	$(BIN)/python benchmarks/prove.py
	$(BIN)/python docs/generate.py

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis
