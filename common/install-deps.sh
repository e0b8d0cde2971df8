#!/bin/sh
# Installs missing packages with apt, as root or through sudo; without either it prints the command to run. If nothing
# is missing, it does nothing and needs neither root nor network. Without apt it prints the names of the packages on
# Fedora or on openSUSE.
#   install-deps.sh build  packages for building and running
#   install-deps.sh run    those, and packages for the page and `boltzmark check`
#   install-deps.sh list   print those of run, one package per line, and install nothing
#   install-deps.sh test   those of run, and packages for `make test`
#   install-deps.sh        all, including those for `make test ALL=1` and the formatting check
set -eu
cd "$(dirname "$0")"

# Needed to build at all.
required="g++ cmake make git libfmt-dev libcli11-dev nlohmann-json3-dev libpng-dev libhwloc-dev"
# Ninja, which is faster than make and reports progress; the others are for one model each, libtbb-dev for two. The rest
# builds and runs without them.
optional="ninja-build libopenmpi-dev openmpi-bin ocl-icd-opencl-dev opencl-clhpp-headers pocl-opencl-icd clang-16 \
clang-tools-16 libomp-16-dev libtbb-dev"
# The models kokkos, thrust and openacc, which `make run` leaves out unless requested.
unasked="libtrilinos-kokkos-dev libthrust-dev"
gcc=$(g++ -dumpversion 2>/dev/null || echo 12)
[ "$(uname -m)" != x86_64 ] || unasked="$unasked gcc-${gcc%%.*}-offload-nvptx"
# The peaks.
peaks="libbenchmark-dev"
# The report's page and plots.
report="python3 python3-matplotlib python3-pandas python3-jinja2"
# Confines checked programs to their folders.
isolation="bubblewrap util-linux"
tests="libgtest-dev python3-pytest"
# The compiler cache, the fuzzers' runtime, the formatting check, the checks of the OpenCL kernels, a compiler for ARM
# and an emulator for its programs, a batch system and networks for the tests of several hosts.
checks="ccache libclang-rt-16-dev clang-format g++-aarch64-linux-gnu qemu-user oclgrind python3-yaml \
slurm-wlm slurmctld slurmd munge iproute2"

# The same on Fedora; on RHEL and its derivatives they are in EPEL and CRB.
dnf_run="gcc-c++ cmake make ninja-build git fmt-devel cli11-devel json-devel libpng-devel hwloc-devel \
openmpi-devel ocl-icd-devel opencl-headers pocl clang libomp-devel \
tbb-devel google-benchmark-devel bubblewrap util-linux python3 python3-matplotlib python3-pandas python3-jinja2"
dnf_checks="ccache gtest-devel clang-tools-extra qemu-user python3-pytest python3-pyyaml"
zypper_run="gcc-c++ cmake make ninja git fmt-devel cli11-devel nlohmann_json-devel libpng16-devel hwloc-devel \
openmpi4-devel ocl-icd-devel opencl-headers opencl-cpp-headers pocl clang libomp-devel \
tbb-devel benchmark-devel bubblewrap util-linux python3 python3-matplotlib python3-pandas python3-Jinja2"
zypper_checks="ccache gtest clang qemu-linux-user python3-pytest python3-PyYAML"

case "${1:-all}" in
  build) wanted="$required $optional $peaks" dnf_checks='' zypper_checks='' ;;
  run) wanted="$required $optional $peaks $report $isolation" dnf_checks='' zypper_checks='' ;;
  test) wanted="$required $optional $peaks $report $isolation $tests" ;;
  list) printf '%s\n' $required $optional $peaks $report $isolation; exit ;;
  all) wanted="$required $optional $unasked $peaks $report $isolation $tests $checks" ;;
  *) echo "deps: '$1' is not known; expected build, run, test, list, or nothing for everything" >&2; exit 2 ;;
esac

installed() { dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q '^install ok installed'; }
missing_of() { for package in "$@"; do installed "$package" || printf '%s ' "$package"; done; }

if ! command -v apt-get >/dev/null; then
  if command -v dnf >/dev/null; then
    echo "deps: no apt-get here; if something is missing: dnf install $dnf_run $dnf_checks"
    echo "deps: (RHEL, Rocky, Alma: with EPEL and CRB; then 'module load mpi' for MPI's compiler and launcher)"
  elif command -v zypper >/dev/null; then
    echo "deps: no apt-get here; if something is missing: zypper install $zypper_run $zypper_checks"
  else
    echo "deps: no apt-get here; the Debian names of what the suite needs are: $wanted"
  fi
  exit 0
fi
missing=$(missing_of $wanted)
# Otherwise apt satisfies a dependency of matplotlib's fonttools by SciPy, and with it Boost, OpenBLAS and Python's
# headers: 340 MB.
case $missing in *python3-matplotlib*) missing="${missing}python3-munkres " ;; esac
[ -n "$missing" ] || exit 0

line="apt-get install --no-install-recommends $missing"
if [ "$(id -u)" = 0 ]; then sudo=
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then sudo=sudo
elif command -v sudo >/dev/null && [ -t 0 ]; then sudo=sudo
else
  echo "deps: missing here, and installing needs root; run: $line"
  # A missing optional package only skips a model.
  [ -z "$(missing_of $required)" ] || echo "deps: the build needs: $(missing_of $required)"
  exit 0
fi

export DEBIAN_FRONTEND=noninteractive
# env, because sudo drops the variable.
run() { $sudo env DEBIAN_FRONTEND=noninteractive "$@"; }
run apt-get update -qq || echo "deps: the package lists could not be updated; trying with those that are here"
size=$(LC_ALL=C apt-get install --assume-no --no-install-recommends $missing 2>/dev/null |
  sed -nE 's/^Need to get ([^ ]+ [kMG]B).*/\1 to fetch/p
           s/^After this operation, ([^ ]+ [kMG]B).*/, \1 on disk/p' | tr -d '\n')
echo "deps: installing $(echo $missing | wc -w) packages and what they need: ${size:-of unknown size}"
[ -z "${V:-}" ] || echo "deps: $missing"
# Package by package only if one does not exist, so that the others are still installed.
if ! ./progress.sh installing $sudo env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -qq -o APT::Status-Fd=1 --no-install-recommends $missing; then
  for package in $missing; do
    run apt-get install -y -qq --no-install-recommends "$package" ||
      echo "deps: $package could not be installed"
  done
fi
