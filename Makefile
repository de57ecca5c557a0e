# Sets up a private Python environment and plays, checks, measures or documents Affray in it.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# The environment with everything serves for any part of it, so that playing
# after testing installs nothing again.
DEV := $(VENV)/has-dev
CORE := $(firstword $(wildcard $(DEV)) $(VENV)/installed)
SERVER := $(firstword $(wildcard $(DEV)) $(VENV)/has-server)
DOCS := $(firstword $(wildcard $(DEV)) $(VENV)/has-docs)

CORES = $$(getconf _NPROCESSORS_ONLN)

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1
export PIP_ROOT_USER_ACTION := ignore
export PYTHONUTF8 := 1
# Otherwise each of the hundreds of processes that tests start would parse all modules anew.
unexport PYTHONDONTWRITEBYTECODE
# The theme advertises its successor at every build.
export NO_MKDOCS_2_WARNING := 1

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help play serve test quick bench docs lint modules clean

help: ## list these targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1	\2/p' Makefile

play: $(CORE) ## play a fight in the terminal
	@$(BIN)/affray play

serve: $(SERVER) ## open the page, to play in a browser
	@$(BIN)/affray serve

test: lint ## lint, run every test, build the documentation; all must pass
	@$(COMPILE)
	@echo "Running the tests."
	@$(PYTEST) -n $$(($(CORES) + 1)) # many tests wait for a server or a browser
	@$(BUILD_DOCS)

quick: $(DEV) ## run the tests that need no server, no browser, no compiler and no patience
	@echo "Running the tests without servers, browsers and compiled rules."
	@$(PYTEST) -n $(CORES) --ignore tests/server --ignore tests/browser -m "not server and not long"

bench: $(DEV) $(VENV)/has-bench ## measure speed
	@echo "Measuring speed."
	@$(BIN)/python -m benchmarks

docs: $(DOCS) ## build the documentation into site/, with live fights where there is npm
	@$(BUILD_DOCS)
	@$(BUILD_EDITION)

modules: $(DEV) ## compile the rules of all systems where they have changed
	@$(BIN)/affray modules build

lint: $(DEV) ## check style, layout and types
	@echo "Checking style, layout and types."
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check --quiet . || { echo "Layout differs in the files above; \`$(BIN)/ruff format .\` settles it." >&2; exit 1; }
	@$(BIN)/mypy

clean: ## remove the environment and everything built
	@echo "Removing $(VENV), site and all caches."
	@rm -rf $(VENV) site build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	@find src tests benchmarks -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true

# What the tests of a file share is set up once. Files go in order: the browsers, whose tests take longest, come first.
PYTEST = $(BIN)/python -m pytest --dist loadfile --no-loadscope-reorder

# Otherwise several workers would compile what one of them compiles at once for all.
COMPILE = echo "Compiling the rules, where they have changed." && $(BIN)/python tests/compile_rules.py

# Not --quiet: mkdocs then no longer counts the warnings that --strict is to fail on.
BUILD_DOCS = echo "Building the documentation into site/." && $(BIN)/mkdocs build --strict --clean

BUILD_EDITION = if command -v npm >/dev/null; then echo "Building the web edition into site/edition." && \
	$(BIN)/affray web build site/edition; else echo "There is no npm, so fights and examples in it are not live."; fi

$(VENV)/installed: pyproject.toml $(VENV)/made
	@echo "Installing Affray into $(VENV)."
	@$(BIN)/python -m pip install -qq --editable . || { $(NOT_INSTALLED); exit 1; }
	@touch $@

NOT_INSTALLED = echo "The installation failed, see above; it needs a connection to a Python package index." >&2

# One stamp per extra; a changed pyproject.toml outdates them all.
$(VENV)/has-%: pyproject.toml $(VENV)/made
	@echo "Installing Affray with its $* extra into $(VENV); the first time takes a minute."
	@$(BIN)/python -m pip install -qq --editable '.[$*]' \
	|| { $(NOT_INSTALLED); exit 1; }
	@touch $@

# Whatever an interrupted run left behind is cleared away first.
$(VENV)/made:
	@command -v $(PYTHON) >/dev/null \
	|| { echo "There is no $(PYTHON) here; Affray needs Python 3.11 or newer." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	|| { echo "Affray needs Python 3.11 or newer, and $(PYTHON) is `$(PYTHON) --version 2>&1`; name another one, such as \`make PYTHON=python3.12 play\`." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null \
	|| { echo "This Python cannot make virtual environments because ensurepip is missing; on Debian and Ubuntu, \`apt install python3-venv\` brings it." >&2; exit 1; }
	@echo "Making a Python environment in $(VENV)."
	@$(PYTHON) -m venv --clear $(VENV)
	@touch $@
