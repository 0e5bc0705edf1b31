# Every target sets up what it needs: a fresh clone needs only Python 3.11 or later, and make.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test lint docs reproduce bench clean

demo: .venv/ready           ## fit the rainbow and draw it
	$(BIN)/boltzmix demo

test: lint                  ## lint, types, import contract, then all tests
	$(BIN)/pytest -n auto

lint: .venv/ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: .venv/ready-docs      ## the documentation, in build/docs; warnings are errors
	$(BIN)/sphinx-build -W --keep-going --quiet -j auto docs build/docs

reproduce: .venv/ready-experiments ## the paper's tables and figures, 100 seeds
	$(BIN)/boltzmix reproduce

bench: .venv/ready-bench    ## timings against scikit-learn, pomegranate and hmmlearn, as ratios
	$(BIN)/python -m benchmarks

clean:
	rm -rf .venv build docs/generated docs/pictures

.venv/ready: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[cli,plot]'
	touch $@

# of aeon, only a data file is read: what else it needs would replace newer packages by older ones
.venv/ready-experiments: .venv/ready
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps aeon
	touch $@

.venv/ready-bench: .venv/ready
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[bench]'
	touch $@

.venv/ready-docs: .venv/ready
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[docs]'
	touch $@

.venv/ready-dev: .venv/ready
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@
