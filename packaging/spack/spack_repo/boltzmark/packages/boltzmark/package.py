# SPDX-License-Identifier: MIT
import os

from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *

MODELS = ("serial", "stdpar", "tbb", "kokkos", "thrust", "sycl", "openmp", "openmp_target", "openacc", "mpi", "opencl", "cuda",
          "hip")


class Boltzmark(CMakePackage):
    """Parallel programming models compared on real codes: lattice Boltzmann, STREAM, reductions and others, each result
    checked against a reference and set beside the machine's measured roof."""

    # The tarball of `make dist`, in the current folder or in a mirror: it has no public address yet, and no checksum.
    manual_download = True

    license("MIT")

    version("0.2.0")

    for model in MODELS:
        variant(model, default=model not in ("kokkos", "thrust", "sycl", "openmp_target", "openacc", "opencl", "hip"), description=f"Programs of the model {model}")
    variant("native", default=True, description="Compile for the processor of the build node")

    depends_on("cxx", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("fmt@9:")
    depends_on("cli11@2.1:")
    depends_on("nlohmann-json@3.11:")
    depends_on("libpng")
    depends_on("hwloc@2:")
    depends_on("benchmark@1.7:")
    depends_on("python@3.9:", type="run")
    depends_on("py-pandas", type="run")
    depends_on("py-matplotlib", type="run")
    depends_on("py-jinja2", type="run")
    depends_on("tbb", when="+stdpar")
    depends_on("tbb@2021:", when="+tbb")
    depends_on("kokkos@3.4:", when="+kokkos")
    depends_on("thrust@1.17:", when="+thrust")
    depends_on("llvm@16:+clang libomptarget=project", when="+openmp_target")
    depends_on("gcc@12: +nvptx", type="build", when="+openacc")
    depends_on("mpi", when="+mpi")
    depends_on("opencl", when="+opencl")
    depends_on("opencl-clhpp", when="+opencl")
    # +sycl takes AdaptiveCpp or DPC++ as it is found.
    # CUDA's and HIP's drivers and compilers are opened while a program runs: +cuda and +hip need nothing to build.

    def url_for_version(self, version):
        return f"file://{os.getcwd()}/boltzmark-{version}.tar.gz"

    def cmake_args(self):
        switches = [self.define_from_variant(f"BOLTZMARK_{name.upper()}", name) for name in (*MODELS, "native")]
        if self.spec.satisfies("+openmp_target"):
            switches.append(self.define("BOLTZMARK_OFFLOAD_CXX", self.spec["llvm"].prefix.bin.join("clang++")))
        return switches
