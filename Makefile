# Everything a contributor runs. Needs make, a system Node 20 or newer with its npm; the rest is installed by `setup`.
.PHONY: help setup interop build types test lint format docs demo bench clean
.DEFAULT_GOAL := help

# The project's own Node 24 and its tools come first for every recipe but `setup`, which replaces them.
with_tools = PATH="$(CURDIR)/node_modules/node/bin:$(CURDIR)/node_modules/.bin:$$PATH"

help:
	@echo 'make setup    install what is missing: system parts, packages, the project'"'"'s own Node'
	@echo 'make build    check the types and bundle the command into dist/'
	@echo 'make test     run every test'
	@echo 'make lint     check style and types'
	@echo 'make format   write the style'
	@echo 'make docs     write the generated reference pages under docs/'
	@echo 'make demo     run one task from delegation to commit, with a scripted model (WORKER=reasonix: the real Reasonix)'
	@echo 'make interop  install the real agents and clients that the tests and the demo run'
	@echo 'make bench    measure tasks, commands, start and memory beside what Git, Node and bubblewrap need alone, and the worker'"'"'s requests'
	@echo 'make clean    remove what was built'

setup:
	@sh scripts/setup.sh $(filter setup,$(MAKECMDGOALS))

# Real agents for the demo and the interoperability tests; never part of Remit itself.
interop: setup
	@sh scripts/setup-interop.sh

types: setup
	@$(with_tools) tsc --noEmit

build: types
	@$(with_tools) node scripts/build.ts

test: build interop
	@$(with_tools) vitest run --reporter=default --reporter=./scripts/closing-line.ts

lint: setup
	@$(with_tools) biome check .
	@$(with_tools) tsc --noEmit

format: setup
	@$(with_tools) biome check --write .

docs: setup
	@$(with_tools) node scripts/docs.ts

# The demo runs the bundled worker; another one is a real agent of interop/.
demo: build $(if $(filter-out builtin,$(WORKER)),interop)
	@$(with_tools) node scripts/demo.ts

bench: build
	@$(with_tools) node scripts/bench.ts

clean:
	rm -rf dist
