# One command each; `make help` lists them. Everything is installed into .venv, nothing outside it but a
# browser, and that only where there is none.

BENCH ?= ../shared/bench
BENCH_ARGS ?= --cold 20
SOAK_SECONDS ?= 600
PY := .venv/bin/python
PIP := $(PY) -m pip --disable-pip-version-check --quiet --quiet

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup browser demo test coverage format bench conformance agent-sdk soak extension wheel lock clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' Makefile

setup: .venv/.project browser ## install everything into .venv, and a browser if there is none

demo: setup ## see it cancel a made-up subscription; no key, no account, no internet
	@$(PY) -m subterminator demo

test: setup .venv/playwright-mcp/.installed ## all checks: format, lint, types, import contracts, tests
	@.venv/bin/ruff format --check --quiet . || { echo "Run: make format"; exit 1; }
	@.venv/bin/ruff check --quiet .
	@.venv/bin/lint-imports
	@# Types are checked beside the tests: it takes one core for half a minute, and they leave some of it.
	@.venv/bin/mypy & types=$$!; temporary=$$(mktemp -d) && trap 'rm -rf "$$temporary"' EXIT && \
	  .venv/bin/pytest -n 4 --dist worksteal --basetemp="$$temporary"; tests=$$?; \
	  wait $$types && exit $$tests

coverage: setup .venv/playwright-mcp/.installed ## run the tests and list the lines and branches they miss
	@.venv/bin/coverage run -m pytest --quiet
	@.venv/bin/coverage report --skip-covered --show-missing

format: .venv/.project ## rewrite the sources the way `make test` wants them
	@.venv/bin/ruff format --quiet .
	@.venv/bin/ruff check --fix --quiet .

bench: setup ## compare with other tools; the harness is at $BENCH (default ../shared/bench)
	@test -x "$(BENCH)/run" || { \
	  echo "No benchmark harness at BENCH=$(BENCH): nothing was measured."; \
	  echo "It is not part of this repository. Run: make bench BENCH=<its folder>"; exit 1; }
	@$(PY) -m compileall -q src # as an installed wheel is; else every cold start compiles anew
	@"$(BENCH)/run" --adapter bench/engine_adapter.py --extra bench/mcp.json \
	  --out .venv/bench.json $(BENCH_ARGS)
	@$(PY) bench/targets.py .venv/bench.json
	@$(PY) bench/gate.py
	@$(PY) bench/server.py
	@$(PY) bench/mcp.py .venv/bench.json
	@$(PY) bench/shell.py
	@$(PY) bench/relay.py

conformance: setup ## run MCP's own conformance suites and inspector against ours (needs npm)
	@command -v npm >/dev/null || { echo "npm is missing. Install Node.js 20 or newer."; exit 1; }
	@mkdir -p .venv/conformance && cp conformance/package.json .venv/conformance/
	@npm install --prefix .venv/conformance --no-audit --no-fund --loglevel=error
	@$(PY) conformance/run.py .venv/conformance

agent-sdk: setup .venv/agent-sdk/.installed ## test with the real Claude Agent SDK (160 MB, fetched once)
	@PYTHONPATH=$(CURDIR)/.venv/agent-sdk .venv/bin/pytest tests/doors/agent_sdk

soak: setup .venv/playwright-mcp/.installed ## long randomised runs, SOAK_SECONDS each (default 600)
	@SOAK_SECONDS=$(SOAK_SECONDS) .venv/bin/pytest -m soak --timeout=0

extension: .venv/.project ## write the engine's script into extension/, and its zips into dist/
	@$(PY) -m subterminator.engine.packing extension dist

wheel: .venv/.project ## build the wheel into dist/
	@rm -rf dist
	@$(PIP) wheel --no-deps --no-build-isolation --wheel-dir dist .
	@ls dist

lock: ## write requirements.lock anew from pyproject.toml (needs uv)
	@command -v uv >/dev/null || { echo "uv is missing. Run: python3 -m pip install uv"; exit 1; }
	@uv pip compile pyproject.toml --group dev --universal --python-version 3.11 \
	  --generate-hashes --no-header --no-config --quiet --upgrade --output-file requirements.lock

clean: ## remove .venv and everything built
	@rm -rf .venv dist build htmlcov .coverage .hypothesis .import_linter_cache .mypy_cache \
	  .pytest_cache .ruff_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/bin/python:
	@for python in $(PYTHON) python3 python3.14 python3.13 python3.12 python3.11; do \
	  $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue; \
	  $$python -c 'import ensurepip, venv' 2>/dev/null || { \
	    echo "$$python cannot make virtual environments."; \
	    echo "Run: apt-get install -y python3-venv   (or your system's package of that kind)"; exit 1; }; \
	  echo "Creating .venv with $$($$python --version)"; \
	  $$python -m venv --clear .venv || { rm -rf .venv; exit 1; }; exit 0; \
	done; \
	echo "Python 3.11 or newer is needed. Run: apt-get install -y python3 python3-venv"; exit 1

.venv/.packages: requirements.lock | .venv/bin/python
	@echo "Installing the pinned packages"
	@$(PIP) install --require-hashes --requirement requirements.lock
	@touch $@

.venv/.project: pyproject.toml .venv/.packages
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

# Beside the other packages: what it brings along is larger than all of them, and only this target needs it.
.venv/agent-sdk/.installed: requirements-agent-sdk.lock | .venv/.packages
	@echo "Installing the Claude Agent SDK"
	@rm -rf .venv/agent-sdk
	@$(PIP) install --no-deps --require-hashes --target .venv/agent-sdk --requirement $<
	@touch $@

# Another program's browser server, 19 MB, which the engine playwright-mcp drives. Where it cannot be had its tests say
# so and are skipped; it is asked for again the next time.
.venv/playwright-mcp/.installed: tests/engine/foreign/package-lock.json | .venv/bin/python
	@mkdir -p $(@D) && cp tests/engine/foreign/package.json tests/engine/foreign/package-lock.json $(@D)
	@if npm ci --prefix $(@D) --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null; then \
	  touch $@; \
	else echo "Playwright MCP was not installed: no npm here, or it fetched nothing."; fi

# Looked up once; asked again when the browser found then is gone or another one is wished for.
browser: .venv/.project
	@{ test -z "$$SUBTERMINATOR_BROWSER" && test -x "$$(cat .venv/.browser 2>/dev/null)"; } || \
	  { $(PY) -m subterminator.engine.browsers --ensure >.venv/.browser.new && \
	    mv .venv/.browser.new .venv/.browser; }
