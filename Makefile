# Each target sets itself up: `make demo` and `make test` work on a fresh clone with Python 3.11 or later.
PYTHON ?= python3
# without files of bytecode, each of the many processes that tests start would compile the program anew
unexport PYTHONDONTWRITEBYTECODE
VENV := .venv
RUN := $(VENV)/bin

.PHONY: demo test test-sample test-change test-all golden faults bench docs lint clean

$(VENV)/ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(RUN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

demo: $(VENV)/ready  ## make tasks, prove them and play them; then play journeys with a player that errs
	$(RUN)/herobench generate --difficulty 1-9 --noise --count 9 -o demo-tasks.jsonl
	$(RUN)/herobench validate demo-tasks.jsonl
	$(RUN)/herobench run --model greedy --tasks demo-tasks.jsonl -o demo-greedy
	$(RUN)/herobench run --model sight:2 --limit 12 --shuffle 1 -o demo-sight
	$(RUN)/herobench analyze demo-sight
	@echo 'To see each plan on its road, open the page that this writes: $(RUN)/herobench report demo-sight -o demo.html'

PYTEST := $(RUN)/python -m pytest -q -n auto --dist worksteal
RARE := slow or kills or browser or conformance or packaging or proves
# the commit, so that each commit draws other tests
TURN ?= $(shell git rev-parse HEAD 2>/dev/null || echo 0)

test: $(VENV)/ready  ## what every change runs: in-process commands, small samples
	$(PYTEST) -m 'not ($(RARE))' $(ARGS)

test-sample: $(VENV)/ready  ## a sample of what `make test` leaves out, another one for each commit
	HEROBENCH_TURN=$(TURN) $(PYTEST) $(ARGS)

test-change: $(VENV)/ready  ## both in one session, as CI runs them
	HEROBENCH_TURN=$(TURN) HEROBENCH_TESTS=change $(PYTEST) $(ARGS)

test-all: $(VENV)/ready  ## all tests, on large samples
	HEROBENCH_TESTS=thorough $(PYTEST) $(ARGS)

golden: $(VENV)/ready  ## write tests/golden anew: the words of commands, for a reviewer to read
	HEROBENCH_GOLDEN=renew $(RUN)/python -m pytest -q -n 0 $(ARGS)

faults: $(VENV)/ready  ## plant each fault of tests/faults, and see whether the quick tests find it; takes an hour
	$(RUN)/python -m tests.faults $(ARGS)

bench: $(VENV)/ready  ## measure; the figures also go to bench.json
	$(RUN)/python -m bench -o bench.json $(ARGS)

docs: $(VENV)/ready  ## build the documentation into site/; a broken link fails
	$(RUN)/zensical build --clean --strict

lint: $(VENV)/ready
	$(RUN)/ruff check .
	$(RUN)/ruff format --check .
	$(RUN)/mypy

clean:
	rm -rf $(VENV) .cache build site *.egg-info demo-* demo.html bench.json .pytest_cache .mypy_cache .ruff_cache .hypothesis
