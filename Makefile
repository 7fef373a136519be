# Entry points for development. Everything lives in .venv and build/; `make help` lists the targets.

HOST ?= 127.0.0.1
PORT ?= 8000
DATA ?= data
PLIES ?= 1000000
CONTESTS ?= 5000
HOURS ?= 24
SECONDS ?= 600
KILLS ?= 1000
PLAY_HOURS ?= 0.2
PYTHONS ?= $(shell .ci/ground wheels)
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
# Images of containers like to set it; then every one of the many processes of the tests compiles all of Python again.
unexport PYTHONDONTWRITEBYTECODE

bin := .venv/bin
jobs := $(shell nproc 2>/dev/null || echo 2)
pip := $(bin)/python -m pip --quiet
templates = $(shell find src -name '*.html')
natives = $(shell find native benchmarks -name '*.cpp' -o -name '*.hpp')
build_native = $(bin)/cmake --preset $(1) $(if $(in_ci),-DCROWNHEAD_WERROR=ON) --log-level=WARNING && $(bin)/cmake --build --preset $(1) --parallel $(jobs)
# In CI the slow tests run as well. What runs when: docs/testing.md.
in_ci := $(filter-out 0 false,$(CI))
marks := $(if $(in_ci),-m 'not nightly')
# The tests need the C++ tests as well, which go on from the objects that are there; CI compiles those once, under the
# sanitizers. There warnings are errors: that compiles everything by other flags, so it is done at once. What is made
# for more does for everything else, too.
strict := .venv/.setup-strict
tested := $(if $(in_ci),$(strict),.venv/.setup-tests)
installed := $(firstword $(if $(in_ci),$(strict)) $(wildcard $(strict) .venv/.setup-tests) .venv/.setup)
abreast := $(bin)/python -m pytest $(marks) --dist worksteal --numprocesses
# A wheel is compiled once for many machines: it has every specialisation.
for_wheels := --config-settings cmake.define.CROWNHEAD_SPECIALISED=all
with_tests := --config-settings cmake.define.CROWNHEAD_TESTS=ON
strictly := --config-settings cmake.define.CROWNHEAD_WERROR=ON
# Without an environment of its own, whose paths change each time, a build goes on from the one before. The generator
# is named because a package of the site is called ninja, as a build tool is.
build_kernel = CMAKE_GENERATOR='Unix Makefiles' CMAKE_BUILD_PARALLEL_LEVEL=$(jobs) $(pip) install --no-deps --no-build-isolation \
    $(if $(filter %-tests,$@),$(with_tests)) $(if $(filter %-strict,$@)$(wildcard $(strict)),$(strictly)) --editable .
native_tests = $(bin)/ctest --test-dir "$$(ls -td build/cp* | head -1)" --no-tests=error --output-on-failure \
    --parallel $(jobs)
site_packages := import tomllib; \
    print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["server"], sep="\n")
# CI needs all of them: fetched at once, while the compiler works.
groups := $(if $(in_ci),test dev docs)

on_postgres := $(bin)/python -m tests.postgres $(bin)/python -m pytest --migrations --numprocesses $(jobs) --dist worksteal
# The tests whose ground is the database. On PostgreSQL CI runs those that ask something of it
# (tests/server/databases.py), make nightly all.
on_rows := $(addprefix tests/server/,accounts competitions ladders live lobby notices people play ratings social teams)

# What the kernel is made from; a change in any of these builds it anew.
kernel_sources := $(shell find native CMakeLists.txt \( -path native/tests -o -name __pycache__ \) -prune -o -type f -print) pyproject.toml \
    $(wildcard $(addprefix src/crownhead/rules/,schema.py geometry.py federations.py boards.py rule_sets.py variants.py \
        kernel_row.py rows/*.py))

.PHONY: help setup serve demo test coverage postgres check format messages bundles docs sanitize bench faults wheel nightly security lock fuzz clean bench-site bench-streams wasm wasm-verify bench-guests bench-wasm

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | while IFS=$$'\t' read -r name what; do \
	    printf '  make %-13s %s\n' "$$name" "$$what"; done
	@echo
	@echo '  make serve PORT=8000 HOST=127.0.0.1 DATA=data     (the defaults)'

setup: $(installed) ## install the site into .venv; then .venv/bin/crownhead works
	@echo 'Installed: .venv/bin/crownhead'

serve: $(installed) ## install if need be, and serve the club at http://HOST:PORT
	@exec $(bin)/crownhead serve --host "$(HOST)" --port "$(PORT)" --data "$(DATA)"

demo: $(installed) ## fill the empty folder DATA with a sample club, and serve it
	@$(bin)/crownhead demo --data "$(DATA)"
	@exec $(bin)/crownhead serve --host "$(HOST)" --port "$(PORT)" --data "$(DATA)"

test: $(tested) .venv/.test .venv/.dev ## run every test (with CI=1 the slow ones too)
	@.ci/ground chromium
	@if [ -n "$(marks)" ]; then .ci/ground postgresql; fi
	@# In CI they run under the sanitizers alone.
	$(if $(in_ci),,$(native_tests))
	$(bin)/deno task --quiet test
	@# Those that drive a browser by themselves, for they are the first to feel haste; two on each core, for they
	@# wait half of the time. Of the others one more than there are cores, which keeps all busy.
	@# What a first start of a club makes is made once for both.
	@failed=; export CROWNHEAD_TESTS_COLLECTED=$$(mktemp -d); trap 'rm -rf "$$CROWNHEAD_TESTS_COLLECTED"' EXIT; \
	$(abreast) $$(($(jobs) + 1)) --ignore tests/browser || failed=1; \
	$(abreast) $$(($(jobs) * 2)) tests/browser || failed=1; \
	test -z "$$failed"

coverage: $(installed) .venv/.test .venv/.dev ## measure which lines the quick tests run, those of the browser apart; fails below the floor
	@rm -rf build/coverage
	@failed=; \
	$(bin)/python -m coverage run -m pytest --numprocesses $(jobs) --dist worksteal \
	    -m 'not slow and not nightly and not browser' || failed=1; \
	$(bin)/python -m coverage combine --quiet && $(bin)/python -m coverage html --quiet; \
	$(bin)/python -m coverage report || failed=1; \
	$(bin)/deno task --quiet test --coverage=build/coverage/js || failed=1; \
	echo 'Line by line: build/coverage/html/index.html, build/coverage/js/html/index.html'; \
	test -z "$$failed"

postgres: $(installed) .venv/.test ## run the tests of the database again, on a PostgreSQL of their own
	@.ci/ground postgresql
	$(on_postgres) -m 'database and not slow and not nightly' $(on_rows)

check: $(installed) .venv/.test .venv/.dev .venv/.docs ## style, types, directions, templates (with CI=1 C++ warnings too)
	$(bin)/ruff check
	$(bin)/ruff format --check
	$(bin)/mypy
	$(bin)/lint-imports
	$(bin)/bandit --quiet --configfile pyproject.toml --recursive src manage.py
	$(bin)/deno task --quiet check
	CROWNHEAD_DATA=build/check $(bin)/python manage.py makemigrations --check --dry-run
	@# What the modules of tests are compiled to, each process of CI would make for itself otherwise.
	$(if $(in_ci),$(bin)/python -m pytest --collect-only -qq >/dev/null)
	@echo 'djade --check …' && $(bin)/djade --check --target-version 5.2 $(templates)
	@echo 'clang-format --dry-run …' && $(bin)/clang-format --dry-run -Werror $(natives)

wasm: .venv/.made .venv/.wasm ## compile the kernel for browsers, into the files that the site serves
	$(bin)/python native/wasm/build.py

wasm-verify: .venv/.made .venv/.wasm ## compile the plain module again, and compare it byte for byte with the file in the tree
	$(bin)/python native/wasm/build.py --verify crownhead_plain

sanitize: $(installed) .venv/.dev ## run the C++ tests under the sanitizers, for a representative set of rules
	$(call build_native,sanitize)
	$(bin)/ctest --preset sanitize --parallel $(jobs)

format: $(installed) .venv/.dev ## format the sources
	$(bin)/ruff check --fix-only
	$(bin)/ruff format
	@$(bin)/djade --target-version 5.2 $(templates) || true # it fails when it has changed something
	@$(bin)/clang-format -i $(natives)

messages: $(installed) ## write every text of the site into the catalogues of its languages
	$(bin)/python manage.py messages

bundles: $(installed) .venv/.dev ## join and minify the scripts and styles of the pages; after any change of them
	$(bin)/python manage.py bundles

docs: $(installed) .venv/.docs ## build the manual into build/docs; a warning fails it
	$(bin)/python -m sphinx --fail-on-warning --keep-going --quiet -d build/docs-cache docs build/docs
	@echo 'Built: build/docs/index.html'

bench: $(installed) ## measure the kernel beside its peers and write benchmarks/results/kernel.md
	$(bin)/python benchmarks/run.py

bench-site: $(installed) ## measure what each kind of request costs, into benchmarks/results/pages.md
	PYTHONPATH=. $(bin)/python benchmarks/requests_cost.py
bench-streams: $(installed) ## measure event streams and write benchmarks/results/load.md
	PYTHONPATH=.:benchmarks $(bin)/python benchmarks/streams.py

bench-guests: $(installed) .venv/.test ## measure what guests who play level 10 in their browsers cost the club
	PYTHONPATH=.:benchmarks $(bin)/python benchmarks/guest_games.py

bench-wasm: $(installed) .venv/.dev .venv/.test ## measure the kernel in a browser's engine beside the native one, and its replies on a slow phone
	PYTHONPATH=.:benchmarks $(bin)/python benchmarks/browser_module.py

wheel: .venv/.wheel ## build the sources and a wheel for each kind of Python that is here, into dist/
	@rm -rf build/wheels dist
	@echo 'Packing the sources …' && $(bin)/python -m build --sdist --outdir dist . >/dev/null
	@# From those sources, which are thus known to build.
	@for python in $(PYTHONS); do \
	    echo "Building a wheel with $$python (a few minutes) …"; \
	    $(pip) --python "$$python" wheel --no-deps --wheel-dir build/wheels $(for_wheels) dist/crownhead-*.tar.gz; done
	@# Names each wheel by the oldest system that it runs on.
	@PATH="$(CURDIR)/$(bin):$$PATH" $(bin)/auditwheel repair --wheel-dir dist build/wheels/*.whl
	@ls -l dist

# At night the club plays for an hour on each of the two databases, unless PLAY_HOURS says otherwise.
nightly: PLAY_HOURS := $(if $(filter file,$(origin PLAY_HOURS)),2,$(PLAY_HOURS))
nightly: .venv/.setup-tests .venv/.test .venv/.dev .venv/.wheel ## what is too long for CI, then HOURS of the engine against itself
	@.ci/ground chromium
	@.ci/ground postgresql
	@.ci/ground pgbouncer
	@.ci/ground iproute2
	$(native_tests)
	$(call build_native,sanitize-all)
	$(bin)/ctest --preset sanitize-all --parallel $(jobs)
	PLAY_HOURS=$(PLAY_HOURS) $(bin)/python -m pytest -m nightly --numprocesses $(jobs) --dist worksteal
	$(on_postgres) -m 'not nightly' $(on_rows)
	$(MAKE) coverage
	$(MAKE) fuzz
	$(MAKE) wheel
	$(bin)/python -m tests.nightly.wheels dist/*.whl
	$(MAKE) wasm && git diff --exit-code -- src/crownhead/server/static/crownhead/wasm # the same bytes
	$(bin)/python -m tests.nightly.million_plies --plies "$(PLIES)"
	$(bin)/python -m tests.nightly.million_plies --plies "$(PLIES)" --house tests/rules/house_variants.toml
	$(bin)/python -m tests.nightly.many_contests --contests "$(CONTESTS)"
	$(bin)/python -m tests.nightly.engine_games --hours "$(HOURS)"

faults: $(installed) .venv/.test ## kill processes and databases KILLS times, cut lines, fill disks, and see that nothing is lost
	@.ci/ground postgresql
	@.ci/ground pgbouncer
	@.ci/ground iproute2
	KILLS=$(KILLS) PLAY_HOURS=$(PLAY_HOURS) $(bin)/python -m pytest -m '' tests/faults

security: $(installed) .venv/.test .venv/.dev .venv/.security ## everything that docs/security.md promises, in one table
	@$(bin)/python -m tests.server.security.report

lock: .venv/.security ## write requirements/server.lock: the site's packages with their hashes, as a release is tested with
	@mkdir -p requirements
	@$(bin)/python -m tests.server.security.lock

fuzz: $(installed) .venv/.test .venv/.fuzz ## throw broken input at every parser, for SECONDS each
	$(bin)/python -m tests.fuzz.pdn -max_total_time="$(SECONDS)"
	$(bin)/python -m tests.fuzz.texts -max_total_time="$(SECONDS)"

clean: ## remove what was built (not .venv, not the data folder)
	@# The site stays installed; the C++ tests go.
	for stamp in $(strict) .venv/.setup-tests; do if [ -e $$stamp ]; then mv $$stamp .venv/.setup; fi; done
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find src tests benchmarks native docs -name __pycache__ -type d -exec rm -rf {} +

# ------------------------------------------------------------------- what is installed already
.venv/.made: .ci/ground
	@python=$$(.ci/ground python); echo "Making .venv with $$python."; "$$python" -m venv .venv
	@$(pip) install --upgrade 'pip>=25.1' # the first that reads dependency groups
	@touch $@

.venv/.setup-tests: $(wildcard native/tests/*)
.venv/.setup .venv/.setup-tests .venv/.setup-strict: .venv/.made $(kernel_sources)
	@.ci/ground python >/dev/null
	@echo 'Building the kernel and installing the site (a minute or two the first time).'
	@$(pip) install --group build
	@$(pip) install -r <($(bin)/python -c '$(site_packages)') $(addprefix --group ,$(groups)) & packages=$$!; \
	failed=; $(build_kernel) || failed=1; wait $$packages && test -z "$$failed"
	@$(bin)/crownhead prepare >/dev/null
	@touch $(addprefix .venv/.,$(groups)) $@

.venv/.test: .venv/.made pyproject.toml
	@$(pip) install --group test
	@touch $@

.venv/.dev: .venv/.made pyproject.toml
	@$(pip) install --group dev
	@touch $@

.venv/.wheel: .venv/.made pyproject.toml
	@$(pip) install --group wheel
	@touch $@

.venv/.wasm: .venv/.made pyproject.toml
	@$(pip) install --group wasm
	@touch $@

.venv/.docs: .venv/.made pyproject.toml
	@$(pip) install --group docs
	@touch $@

.venv/.security: .venv/.made pyproject.toml
	@$(pip) install --group security
	@touch $@

.venv/.fuzz: .venv/.made pyproject.toml
	@$(pip) install --group fuzz
	@touch $@
