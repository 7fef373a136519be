# The doors of the house. Everything lives in .venv and build/; `make help` lists the targets.

HOST ?= 127.0.0.1
PORT ?= 8000
DATA ?= data
PLIES ?= 1000000
CONTESTS ?= 5000
HOURS ?= 24
SECONDS ?= 600
ifeq ($(origin CXX),default)
CXX := c++
endif
export CXX

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export DENO_DIR := build/deno
export DENO_NO_UPDATE_CHECK := 1

bin := .venv/bin
jobs := $(shell nproc 2>/dev/null || echo 2)
pip := $(bin)/python -m pip --quiet
templates = $(shell find src -name '*.html')
natives = $(shell find native benchmarks -name '*.cpp' -o -name '*.hpp')
build_native = $(bin)/cmake --preset $(1) --log-level=WARNING && $(bin)/cmake --build --preset $(1) --parallel $(jobs)
# In CI the slow tests run as well, and the kernel is compiled once: strictly, and with its tests.
# What runs when: docs/testing.md.
in_ci := $(filter-out 0 false,$(CI))
marks := $(if $(in_ci),-m 'not nightly')
installed := .venv/.setup$(if $(in_ci),-strict)
abreast := $(bin)/python -m pytest $(marks) --numprocesses $(jobs) --dist worksteal
strictly := --config-settings cmake.define.CROWNHEAD_WERROR=ON --config-settings cmake.define.CROWNHEAD_TESTS=ON
check_native = $(if $(in_ci),$(bin)/ctest --test-dir "$$(ls -td build/cp* | head -1)" --no-tests=error --output-on-failure,\
    $(call build_native,check) && $(bin)/ctest --preset check)

on_postgres := $(bin)/python -m tests.postgres $(bin)/python -m pytest --numprocesses $(jobs) --dist worksteal
# The tests whose ground is the database. On PostgreSQL CI runs those that ask something of it
# (tests/server/databases.py), make nightly all.
on_rows := $(addprefix tests/server/,accounts competitions ladders live lobby notices people play ratings social teams)

# What the kernel is made from; a change in any of these builds it anew.
kernel_sources := $(shell find native CMakeLists.txt -path native/tests -prune -o -type f -print) pyproject.toml \
    $(addprefix src/crownhead/rules/,schema.py geometry.py federations.py boards.py rule_sets.py variants.py kernel_row.py) \
    $(wildcard src/crownhead/rules/rows/*.py)

.PHONY: help setup serve test coverage postgres check format messages docs sanitize bench nightly fuzz clean

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | while IFS=$$'\t' read -r name what; do \
	    printf '  make %-9s %s\n' "$$name" "$$what"; done
	@echo
	@echo '  make serve PORT=8000 HOST=127.0.0.1 DATA=data     (the defaults)'

setup: $(installed) ## install the site into .venv; then .venv/bin/crownhead works
	@echo 'Installed: .venv/bin/crownhead'

serve: $(installed) ## install if need be, and serve the club at http://HOST:PORT
	@exec $(bin)/crownhead serve --host "$(HOST)" --port "$(PORT)" --data "$(DATA)"

test: $(installed) .venv/.test .venv/.dev ## run every test (with CI=1 the slow ones too)
	@.ci/ground chromium
	@if [ -n "$(marks)" ]; then .ci/ground postgresql; fi
	$(check_native)
	$(bin)/deno task --quiet test
	@# Side by side; those that drive a browser by themselves, for they are the first to feel haste.
	@failed=; \
	$(abreast) --ignore tests/browser || failed=1; \
	$(abreast) tests/browser || failed=1; \
	test -z "$$failed"

coverage: $(installed) .venv/.test .venv/.dev ## measure which lines of Python the quick tests run, those of the browser apart
	@rm -rf build/coverage
	@failed=; \
	$(bin)/python -m coverage run -m pytest --numprocesses $(jobs) --dist worksteal -m 'not slow and not browser' || failed=1; \
	$(bin)/python -m coverage combine --quiet && $(bin)/python -m coverage html --quiet && $(bin)/python -m coverage report; \
	echo 'Line by line: build/coverage/html/index.html'; \
	test -z "$$failed"

postgres: $(installed) .venv/.test ## run the tests of the database again, on a PostgreSQL of their own
	@.ci/ground postgresql
	$(on_postgres) -m 'database and not slow and not nightly' $(on_rows)

check: $(installed) .venv/.test .venv/.dev .venv/.docs ## style, types, directions, templates, C++ warnings
	$(bin)/ruff check
	$(bin)/ruff format --check
	$(bin)/mypy
	$(bin)/lint-imports
	$(bin)/deno task --quiet check
	CROWNHEAD_DATA=build/check $(bin)/python manage.py makemigrations --check --dry-run
	@echo 'djade --check …' && $(bin)/djade --check --target-version 5.2 $(templates)
	@echo 'clang-format --dry-run …' && $(bin)/clang-format --dry-run -Werror $(natives)
	$(if $(in_ci),,$(call build_native,check))

sanitize: $(installed) .venv/.dev ## run the C++ tests under the sanitizers, for a representative set of rules
	$(call build_native,sanitize)
	$(bin)/ctest --preset sanitize --parallel $(jobs)

format: $(installed) .venv/.dev ## rewrite the sources in the house style
	$(bin)/ruff check --fix-only
	$(bin)/ruff format
	@$(bin)/djade --target-version 5.2 $(templates) || true # it fails when it has changed something
	@$(bin)/clang-format -i $(natives)

messages: $(installed) ## write every text of the site into the catalogues of its languages
	$(bin)/python manage.py messages

docs: $(installed) .venv/.docs ## build the manual into build/docs; a warning fails it
	$(bin)/python -m sphinx --fail-on-warning --keep-going --quiet -d build/docs-cache docs build/docs
	@echo 'Built: build/docs/index.html'

bench: $(installed) ## measure the kernel beside its peers and write benchmarks/results.md
	$(bin)/python benchmarks/run.py

nightly: $(installed) .venv/.test .venv/.dev ## what is too long for CI, then HOURS of the engine against itself
	@.ci/ground chromium
	@.ci/ground postgresql
	$(call build_native,sanitize-all)
	$(bin)/ctest --preset sanitize-all --parallel $(jobs)
	$(bin)/python -m pytest -m nightly --numprocesses $(jobs) --dist worksteal
	$(on_postgres) -m 'not nightly' $(on_rows)
	$(bin)/python -m tests.nightly.million_plies --plies "$(PLIES)"
	$(bin)/python -m tests.nightly.many_contests --contests "$(CONTESTS)"
	$(bin)/python -m tests.nightly.engine_games --hours "$(HOURS)"

fuzz: $(installed) .venv/.test .venv/.fuzz ## throw broken records, FENs and moves at the readers for SECONDS
	$(bin)/python -m tests.fuzz.pdn -max_total_time="$(SECONDS)"

clean: ## remove what was built (not .venv, not the data folder)
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find src tests benchmarks native docs -name __pycache__ -type d -exec rm -rf {} +

# ------------------------------------------------------------------- what is installed already
.venv/.made: .ci/ground
	@python=$$(.ci/ground python); echo "Making .venv with $$python."; "$$python" -m venv .venv
	@$(pip) install --upgrade 'pip>=25.1' # the first that reads dependency groups
	@touch $@

.venv/.setup .venv/.setup-strict: .venv/.made $(kernel_sources)
	@.ci/ground python >/dev/null
	@echo 'Building the kernel and installing the site (a minute or two the first time).'
	@$(pip) install --editable '.[server]' $(if $(in_ci),$(strictly))
	@touch $@

.venv/.test: .venv/.made pyproject.toml
	@$(pip) install --group test
	@touch $@

.venv/.dev: .venv/.made pyproject.toml
	@$(pip) install --group dev
	@touch $@

.venv/.docs: .venv/.made pyproject.toml
	@$(pip) install --group docs
	@touch $@

.venv/.fuzz: .venv/.made pyproject.toml
	@$(pip) install --group fuzz
	@touch $@
