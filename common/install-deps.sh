#!/bin/sh
# Installs with apt what the suite needs and this machine lacks, as root or through sudo; without either it prints the
# line to run. With everything there it does nothing and needs neither root nor network.
#   install-deps.sh run    what building, running and reporting need
#   install-deps.sh        the same and what the tests and the formatting check need
set -eu

# Needed to build at all.
required="g++ cmake make git libfmt-dev libcli11-dev nlohmann-json3-dev libpng-dev libhwloc-dev libgtest-dev"
# One model each; the rest builds and runs without them.
optional="libopenmpi-dev openmpi-bin ocl-icd-opencl-dev opencl-clhpp-headers pocl-opencl-icd clang-16 clang-tools-16 libomp-16-dev"
# The peaks, and the report's page and plots.
report="libbenchmark-dev python3 python3-matplotlib python3-numpy python3-jinja2"
# Formatting check, the checks of the OpenCL kernels in the tests, a compiler for ARM and what runs its programs, and a
# browser that reads the report's page.
checks="clang-format g++-aarch64-linux-gnu qemu-user oclgrind chromium chromium-driver python3-selenium"
case "${1:-all}" in
  run) wanted="$required $optional $report" ;;
  all) wanted="$required $optional $report $checks" ;;
  *) echo "deps: '$1' is not known; expected run, or nothing for everything" >&2; exit 2 ;;
esac

installed() { dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q '^install ok installed'; }
missing_of() { for package in "$@"; do installed "$package" || printf '%s ' "$package"; done; }

if ! command -v apt-get >/dev/null; then
  echo "deps: no apt-get here; the Debian names of what the suite needs are: $wanted"
  exit 0
fi
missing=$(missing_of $wanted)
[ -n "$missing" ] || exit 0

line="apt-get install --no-install-recommends $missing"
if [ "$(id -u)" = 0 ]; then sudo=
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then sudo=sudo
elif command -v sudo >/dev/null && [ -t 0 ]; then sudo=sudo
else
  echo "deps: missing here, and installing needs root; run: $line"
  # What is left out of the optional ones only skips a model.
  [ -z "$(missing_of $required)" ] || echo "deps: the build needs: $(missing_of $required)"
  exit 0
fi

echo "deps: installing $missing"
export DEBIAN_FRONTEND=noninteractive
# env, because sudo drops the variable.
run() { $sudo env DEBIAN_FRONTEND=noninteractive "$@"; }
run apt-get update -qq || echo "deps: the package lists could not be updated; trying with those that are here"
if ! run apt-get install -y -qq --no-install-recommends $missing; then
  # One absent package must not keep the others away.
  for package in $missing; do
    run apt-get install -y -qq --no-install-recommends "$package" ||
      echo "deps: $package could not be installed"
  done
fi
