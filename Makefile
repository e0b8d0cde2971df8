# The two commands of the README, and what they need. Everything else is CMake (see CMakePresets.json).
.DEFAULT_GOAL := build
.PHONY: build configure run test install dist fuzz compilers bundle report-kept deps deps-build deps-run deps-test clean format format-check help
MAKEFLAGS += --no-print-directory

JOBS ?= $(shell nproc)
PRESET ?= default
BUILD := $(if $(filter default,$(PRESET)),build,build-$(PRESET))
PLAN ?= quick
# Names of models, a,b,...; unset: those of the plan.
OF_MODELS = $(if $(MODELS),--models $(MODELS))
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
COMPILERS ?= gcc-o3 gcc-ofast gcc-o3-generic clang-o3 clang-ofast
# With CUDA's assembler on the PATH, a bundle also supports NVIDIA GPUs.
OFFLOAD ?= $(shell uname -m)$(if $(shell command -v ptxas),;nvptx64:sm_80;nvptx64:sm_90)
FORMATTED = $(shell git ls-files '*.cpp' '*.hpp' '*.h' '*.cl')

# One line of progress; V=1 shows the output of compilers and apt.
SHOW := common/progress.sh
export V
# A new build folder uses Ninja if installed, and ccache if installed.
GENERATOR = $(if $(shell command -v ninja),env CMAKE_GENERATOR=$${CMAKE_GENERATOR:-Ninja})
CCACHE = $(if $(shell command -v ccache),-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
export CCACHE_SLOPPINESS ?= pch_defines,time_macros
# Lets a clone or worktree in another folder reuse the objects compiled here.
export CCACHE_BASEDIR ?= $(CURDIR)
# xargs: words of CMAKE_ARGS end only at blanks outside quotes: "-DBOLTZMARK_WORKLOADS=lbm;stream" is one word.
export CMAKE_ARGS
CONFIGURE = printf %s "$$CMAKE_ARGS" | xargs $(SHOW) configuring $(GENERATOR) cmake $(CCACHE)
COMPILE = $(SHOW) compiling cmake --build $(BUILD) -j $(JOBS) $(if $(V),--verbose)

# CMake runs again when one of these has changed: its arguments, the files of the folders on the PATH (compilers), the
# libraries beside them, the installed packages. It notices changes of its own files itself.
export CONFIGURED = $(CCACHE) $(TESTS) $(CMAKE_ARGS)
INSTALLED = { echo "$$PATH:$$CMAKE_PREFIX_PATH" | tr : '\n' | while read -r folder; do \
    ls -lL --full-time "$$folder"; ls "$$folder"/../include "$$folder"/../lib* "$$folder"/../lib*/cmake; done; \
    ls -l --full-time /var/lib/dpkg/status; env | grep -E '^(CXX|[A-Za-z]+_ROOT|CUDA_[A-Z]+)='; } 2>/dev/null | cksum

# Only `make test` includes the tests and needs GoogleTest. Switching recompiles nothing.
TESTS := OFF

build: configure  ## configure and build all programs and the driver (PRESET=debug, sanitize, portable, aarch64)
	@$(COMPILE)

configure:
	@made_for=$$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' $(BUILD)/CMakeCache.txt 2>/dev/null); \
	  [ -z "$$made_for" ] || [ "$$made_for" -ef . ] || \
	  { echo "$(BUILD)/ was made for sources in $$made_for: remove it with make clean" >&2; exit 2; }
	@now="$$CONFIGURED $$($(INSTALLED))"; [ "$$(cat $(BUILD)/configured 2>/dev/null)" = "$$now" ] || { \
	  rm -f $(BUILD)/configured; \
	  $(CONFIGURE) --preset $(PRESET) -DBOLTZMARK_TESTS=$(TESTS) && echo "$$now" > $(BUILD)/configured; }

# The page's packages, a third of the installation time, are installed during compilation.
INSTALL_REST = ./common/install-deps.sh run > $(BUILD)/installing.log 2>&1
# Of the programs only those that the driver names, once it is there itself: first serial and OpenMP, and of these a
# first figure while nothing else runs.
run: export THEN = then about 2 min of peaks and runs
run: QUIET = $$([ -t 2 ] || echo --quiet)
run: deps-build configure  ## install what is missing, build what the plan runs, measure the machine, run, compare, write the report (PLAN=full MODELS=openmp,tbb)
	@set -e; $(INSTALL_REST) & rest=$$!; \
	  $(COMPILE) --target driver; \
	  programs=$$($(BUILD)/bin/boltzmark run $(PLAN) $(OF_MODELS) --programs); \
	  first=$$(echo "$$programs" | grep -E -- '-(serial|openmp)$$' || true); \
	  [ -z "$$first" ] || $(COMPILE) --target $$first; \
	  case $$first in *lbm-openmp*) [ -e results/runs.jsonl ] || $(FIRST_FIGURE) ;; esac; \
	  $(COMPILE) --target driver $$programs; \
	  wait $$rest || true; grep '^deps: .*\(missing\|could not\)' $(BUILD)/installing.log >&2 || true
	@[ -t 2 ] || echo "measuring the machine, then running the plan $(PLAN)" >&2
	@$(BUILD)/bin/boltzmark peaks --for $(PLAN) $(OF_MODELS) $(QUIET) > /dev/null || case $$? in 1|3) ;; *) false ;; esac
	@status=0; $(BUILD)/bin/boltzmark run $(PLAN) $(OF_MODELS) $(QUIET) || status=$$?; \
	  [ $$status -gt 1 ] || $(BUILD)/bin/boltzmark report --only-svg --quiet; exit $$status

FIRST_FIGURE = { echo "A first figure, while the rest is not compiled yet:"; \
  $(BUILD)/bin/lbm-openmp 128x128 --steps 2000 --check reference --no-output | sed -nE 's/^(program|rate|check):/  &/p'; }

test: TESTS := $(if $(ALL),ALL,ON)
test: $(if $(ALL),deps,deps-test) configure  ## install what is missing, build and test the standard models and the driver (ALL=1: every model and test)
	@$(COMPILE) --target $(if $(ALL),all,tests)
	@cd $(BUILD) && ctest --output-on-failure -j $$(($(JOBS) * 2))  # many tests wait more than they compute

fuzz: deps  ## feed every reader of files with mutations of tests/fuzz/corpus, each for FUZZ_SECONDS (60)
	@$(CONFIGURE) --preset fuzz && $(SHOW) compiling cmake --build --preset fuzz -j $(JOBS)
	@tests/fuzz/run build-fuzz/bin/fuzz $(FUZZ_SECONDS)

compilers: deps-run  ## build the programs with each compiler and flag set of the plan `compilers` (COMPILERS="gcc-o3 clang-o3")
	@for preset in $(COMPILERS); do \
	  $(CONFIGURE) --preset $$preset && \
	  $(SHOW) "compiling $$preset" cmake --build --preset $$preset -j $(JOBS) || \
	    echo "$$preset: could not be built, the others go on"; done

# Folders of the same machine are combined.
KEPT := H200=h200 H200=h200-models H200=matrix-h200 H200=h200-calibration H200=h200-energy \
  H100=h100-benchpress H100=matrix-h100 "2 H200s=h200-x2" "4 H200s=h200-x4" "2 H100s=h100-x2" "16 Xeon cores=cores-16" \
  "2 EPYC cores=calibration-2core" "2 EPYC cores=pocl-2core" "2 Xeon cores=matrix-2core"

report-kept: configure  ## draw the page over all machines whose records are kept in analysis/results, into report-kept/
	@$(COMPILE) --target driver
	@cd analysis/results && ../../$(BUILD)/bin/boltzmark report $(KEPT) --out ../../report-kept

install: build  ## install programs and what they read into PREFIX (/usr/local), a folder that can be moved
	@cmake --install $(BUILD) --prefix $(PREFIX) --strip

dist:  ## the sources as boltzmark-VERSION.tar.gz, which builds without git
	@packaging/dist

bundle: deps-run  ## put programs and libraries into bundle/, a folder that runs on machines without compilers (OFFLOAD="x86_64;nvptx64:sm_90")
	@$(CONFIGURE) --preset bundle "-DBOLTZMARK_OFFLOAD_TARGETS=$(OFFLOAD)"
	@$(SHOW) compiling cmake --build build-bundle -j $(JOBS)
	@rm -rf bundle && cmake --install build-bundle --prefix bundle --strip
	@cmake --install build-bundle --prefix bundle --component libraries

deps:  ## install with apt what is missing, as root or through sudo (deps-run, deps-test: for make run or make test alone)
	@./common/install-deps.sh

deps-build deps-run deps-test:
	@./common/install-deps.sh $(@:deps-%=%)

format:  ## format all C++ and OpenCL sources
	@clang-format -i $(FORMATTED)

format-check:  ## fail if `make format` would change a file
	@clang-format --dry-run -Werror $(FORMATTED)

clean:  ## remove all build folders; results stay
	@rm -rf build build-debug build-sanitize build-portable build-bundle bundle build-aarch64 build-fuzz $(COMPILERS:%=build-%)

help:  ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*##/\t/' | expand -t 14
