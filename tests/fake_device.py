"""Programs of CUDA, or of HIP, on a device that is none (fake_cuda.cpp)."""

import os
import shutil

import programs
from programs import program_of, run_command

BUILT = programs.FOLDER.parent / "tests"  # what the tests build
ON_HOST = f"BOLTZMARK_TEST_NVRTC={BUILT}/host_cuda/nvrtc"  # the host compiles kernels and runs them
CLANG = next(filter(None, map(shutil.which, ("clang++-16", "clang++-17", "clang++-18", "clang++-15", "clang++"))), None)
TOOLKITS = [os.environ[name] for name in ("CUDA_HOME", "CUDA_PATH") if name in os.environ] + ["/usr/local/cuda"]
NVCC = shutil.which("nvcc", path=":".join([os.environ["PATH"], *(f"{folder}/bin" for folder in TOOLKITS)]))


class FakeDevice:
    def __init__(self, folder, model="cuda", libraries=("libcuda.so.1", "libnvrtc.so")):
        self.folder, self.model = folder, model
        for name in libraries:
            self.install(name)

    def install(self, name, library=BUILT / "libfake_cuda.so"):
        (self.folder / name).unlink(missing_ok=True)
        (self.folder / name).symlink_to(library)

    def run(self, workload, *words, environment=()):
        here = self.folder
        return run_command("env", f"LD_LIBRARY_PATH={here}", f"XDG_CACHE_HOME={here}", f"PATH={here}:/usr/bin:/bin",
                           *environment, program_of(self.model, workload), "--repeat", "1", "--no-tuned", *words)
