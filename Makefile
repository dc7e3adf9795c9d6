# `make demo` and `make test` do all set-up themselves: Python 3.10+ and make are enough, gcc gives the native tier.
PYTHON ?= python3
PYTEST_ARGS ?= -n 2 --dist loadfile

BIN := .venv/bin
# What an editable install was made from; the extension is built from the last two.
SOURCES := pyproject.toml setup.py compiler/support/_support.py compiler/support/_support_c.pxd

.PHONY: demo test lint bench clean
.DELETE_ON_ERROR:

demo: .venv/demo.stamp
	$(BIN)/python examples/demo.py

test: .venv/dev.stamp
	$(BIN)/pytest $(PYTEST_ARGS)

lint: .venv/dev.stamp
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: .venv/dev.stamp
	$(BIN)/admit bench examples/catalog.json

clean:
	rm -rf build dist .venv .nox src/*.egg-info .hypothesis .pytest_cache .mypy_cache .ruff_cache .import_linter_cache

# The pip that comes with Python 3.11 knows no dependency groups.
.venv/pip.stamp:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and "admit needs Python 3.10 or later: PYTHON=python3.12 make demo, for example")'
	@echo "setting up .venv: a few minutes the first time"
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	touch $@

.venv/demo.stamp: .venv/pip.stamp $(SOURCES)
	$(BIN)/python -m pip install --quiet --editable '.[all]'
	touch $@

.venv/dev.stamp: .venv/pip.stamp $(SOURCES)
	$(BIN)/python -m pip install --quiet --editable '.[all,bench]' --group dev
	touch $@
