# Two commands matter: `make demo` and `make test`. On Debian 12 each installs
# what is missing, builds, and runs. The rest is CMake: see CMakePresets.json.

BUILD := build
JOBS  ?= $(shell nproc)

.PHONY: all demo test build deps format clean

all: build

deps:
	@scripts/install-deps.sh

build: deps
	@[ -f $(BUILD)/build.ninja ] || cmake --preset default
	@cmake --build $(BUILD) --parallel $(JOBS)

# Compiles the digits example, trains it on the CPU, and shows that the
# accumulated step equals the full-batch step.
demo: build
	@scripts/demo.sh $(BUILD)

# lit + FileCheck suites and GoogleTest programs, ending with ctest's summary.
test: build
	@cd $(BUILD) && ctest --parallel $(JOBS) --output-on-failure

format:
	@scripts/install-deps.sh --format
	@git ls-files '*.cpp' '*.h' '*.cu' '*.cuh' | xargs -r clang-format-22 -i

clean:
	@rm -rf $(BUILD)
