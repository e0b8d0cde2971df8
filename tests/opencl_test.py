"""Peculiar to the OpenCL model: its own options, kernels kept between runs, devices that fail, reductions."""

import multiprocessing
import os
import re
import resource
import shutil
import stat
from itertools import cycle

import pytest
from every_model import has_option, need, record_in
from fake_device import BUILT
from programs import (TOP, description_of, optimised_kernels, program_of, run_command, run_model, write_grid,
                      write_problem)


@pytest.fixture(autouse=True)
def here():
    need("opencl")


class OpenCL:
    """Runs the odd grid, in a variant that builds quickly if none is named, with these words of env."""

    def __init__(self, folder):
        self.folder, self.environment = folder, []

    def run(self, *options):
        variant = [] if "--variant" in options else ["--variant", "initial"]
        return run_model("opencl", "--no-output", *variant, *options, *write_grid(self.folder, "odd"),
                         before=["env", *self.environment] if self.environment else [])

    def settings(self, *options):
        """In the record of a run that must be right."""
        self.run("--check", "oracle", "--json", self.folder / "record", *options).expect(0)
        return record_in(self.folder)["settings"]


@pytest.fixture(name="opencl")
def opencl_in(folder):
    return OpenCL(folder)


@pytest.fixture(name="bands")
def bands_of_rows(folder, one_process):
    """For variants whose work-groups have bands of rows; unoptimised kernels in three dimensions take longer."""
    with optimised_kernels():
        yield OpenCL(folder)


def need_several(bands):
    """Which wait for one another."""
    if bands.settings("--variant", "resident-wavefront").get("groups", 0) < 2:
        pytest.skip("one compute unit waits for nobody")


@pytest.mark.parametrize("precision, groups, steps", [("f32", 3, 4), ("f64", 2, 2)])
def test_bands_are_right_in_any_number_and_depth(precision, groups, steps, bands):
    settings = bands.settings("--variant", "overlapped-wavefront", "--precision", precision, "--groups", str(groups),
                              "--time-block", str(steps), "--steps", "23")
    assert (settings["groups"], settings["time_block"]) == (groups, steps)


def test_bands_of_single_values_are_right(bands):
    assert bands.settings("--variant", "resident-wavefront", "--vvl", "1", "--delay", "7")["vvl"] == 1


def test_bands_are_refused_where_they_cannot_wait_for_one_another(bands):
    bands.run("--variant", "resident-wavefront", "--groups", "5000").expect(2, "--groups", "found 5000")
    bands.run("--variant", "overlapped-wavefront", "--time-block", "3").expect(
        2, "--time-block", "steps of 2", 'found "3"')
    need_several(bands)
    for polls in ("-DMEET_POLLS=0", "-DMAX_POLLS=0"):  # no wait is long enough
        words = ["--variant", "resident-wavefront", f"--cl-options={polls}"]
        bands.run(*words).expect(3, "resident-wavefront", "overlapped-wavefront needs no waiting")
        bands.run(*words, "--depth", "3").expect(3, "resident-wavefront", "; wavefront needs no waiting")


@pytest.mark.parametrize("depth, following", [([], "overlapped-wavefront"), (["--depth", "3"], "wavefront")])
def test_bands_give_way_to_the_next_best_where_nobody_asked_for_them(depth, following, bands, folder):
    need_several(bands)
    done = run_command(program_of("opencl"), "--no-output", "--cl-options=-DMAX_POLLS=0", "--check", "oracle", "--json",
                       folder / "record", *depth, *write_grid(folder, "odd")).expect(0)
    if "runs in its place" in done.stderr:  # unless the default is for a GPU
        assert record_in(folder)["variant"] == following


def spin():
    while True:
        pass


def test_bands_wait_for_groups_that_have_lost_their_core(bands):
    others = [multiprocessing.Process(target=spin, daemon=True) for _ in range(2 * os.cpu_count())]
    for one in others:
        one.start()
    try:
        settings = bands.settings("--variant", "resident-wavefront", "--time-block", "2", "--steps", "30")
        assert settings["time_block"] == 2
    finally:
        for one in others:
            one.kill()
            one.join()


class KernelCache(OpenCL):
    """The program's cache of kernels, without the driver's."""

    def __init__(self, folder):
        super().__init__(folder)
        self.cache = folder / "cache"
        self.environment = [f"XDG_CACHE_HOME={self.cache}", "POCL_KERNEL_CACHE=0"]

    def use(self, *options):
        return self.settings(*options)["kernel_cache"]

    def files(self):
        kept = self.cache / "boltzmark"
        return list(kept.iterdir()) if kept.exists() else []

    def file(self):
        """The run's kernel, the larger of two: the other one serves to time launches."""
        small, large = sorted(self.files(), key=lambda file: file.stat().st_size)
        assert small.stat().st_size < large.stat().st_size
        return large

    def expect_survives(self, spoil):
        """Spoils the run's stored kernel; the next run must notice, be right, and store it again."""
        file = self.file()
        file.write_bytes(spoil(file.read_bytes()))
        assert [self.use(), self.use()] == ["miss", "hit"]
        assert self.file() == file


@pytest.fixture(name="kernels")
def kernel_cache(folder):
    return KernelCache(folder)


def test_the_cache_is_hit_the_second_time(kernels):
    first, second = kernels.settings(), kernels.settings()
    assert (first["kernel_cache"], second["kernel_cache"]) == ("miss", "hit")
    assert all(second["init_seconds"][part] >= 0 for part in ("context", "build", "upload"))


def test_the_cache_knows_what_a_binary_depends_on(kernels):
    kernels.use()
    for other in (["--precision", "f64"], ["--work-group", "3x2"], ["--variant", "fused"],
                  ["--variant", "fused", "--reduction", "halves"], ["--cl-options", "-D NOTHING"]):
        assert kernels.use(*other) == "miss", other


def test_the_cache_is_left_to_a_driver_that_has_one(kernels):
    kernels.environment.pop()
    assert kernels.use() == "the driver's"
    assert not kernels.files()


def test_the_cache_can_be_left_alone(kernels):
    assert kernels.use("--no-kernel-cache") == "off"
    assert not kernels.files()


def test_the_cache_survives_what_is_not_whole(kernels):
    kernels.use()
    kernels.expect_survives(lambda content: b"")
    kernels.expect_survives(lambda content: content[:len(content) // 2])
    kernels.expect_survives(lambda content: content + b"x")
    kernels.expect_survives(lambda content: content[:-100] + bytes([content[-100] ^ 1]) + content[-99:])


def digest_of(content):
    value = 14695981039346656037
    for byte in content:
        value = (value ^ byte) * 1099511628211 % 2**64
    return f"{value:016x}".encode()


def test_the_cache_survives_a_binary_that_the_driver_refuses(kernels):
    def spoil(content):
        """All but the binary unchanged, with the digest of the whole."""
        first, _, body = content.split(b"\n", 2)
        length, rest = body.split(b"\n", 1)
        spoilt = length + b"\n" + rest[:int(length.split()[0])] + b"no binary"
        return first + b"\n" + digest_of(spoilt) + b"\n" + spoilt

    kernels.use()
    kernels.expect_survives(spoil)


def test_the_cache_takes_nothing_but_regular_files_of_its_own(kernels):
    kernels.use()
    file = kernels.file()
    file.chmod(file.stat().st_mode | stat.S_IWOTH)
    assert kernels.use() == "miss"
    for make_other in (file.mkdir, lambda: file.symlink_to("/dev/zero"), lambda: os.mkfifo(file, 0o600)):
        shutil.rmtree(file) if file.is_dir() and not file.is_symlink() else file.unlink()
        make_other()
        assert kernels.use() == "miss, not stored"
        assert not stat.S_ISREG(file.lstat().st_mode)


def test_the_cache_is_no_failure_where_it_cannot_be(kernels):
    kernels.cache.mkdir()
    (kernels.cache / "boltzmark").write_text("a file where a folder should be")
    assert kernels.use() == "miss, not stored"


def test_options_of_the_compiler_are_taken(opencl, one_process):
    assert opencl.settings("--cl-options", "-cl-mad-enable")["cl_options"] == "-cl-mad-enable"
    assert "cl_options" not in opencl.settings()


def test_the_log_of_a_build_that_fails_is_shown(opencl):
    opencl.run("--cl-options", "-D kernel=nonsense").expect(2, "--cl-options", "-D kernel=nonsense", "error:")


@pytest.mark.parametrize("options, parts", [
    (["--variant", "further", "--reduction", "sideways"], ["--reduction", "halves", '"sideways"']),
    *((["--variant", "further", "--delay", delay], ["--delay", "at least 1", f'"{delay}"'])
      for delay in ("0", "-1", "1.5", "never", "99999999999")),
    # That a variant does not have.
    (["--variant", "initial", "--reduction", "tree"], ["--reduction", "initial", "in-place"]),
    (["--variant", "masked", "--delay", "all"], ["--delay", "masked", "further"])])
def test_values_of_options_are_refused(options, parts, opencl, one_process):
    opencl.run(*options).expect(2, *parts)


def test_options_of_opencl_are_refused_by_others(folder):
    run_model("serial", "--reduction", "halves", *write_grid(folder, "odd")).expect(2, "--reduction")


def half_storage(variant):
    return ["--variant", variant, "--storage", "f16", "--no-tuned", "--no-output"]


@pytest.mark.parametrize("grid", ["odd", "tall", "wide"])
@pytest.mark.parametrize("variant", ["two-grid", "time-block"])
def test_halves_are_right_on_any_grid(variant, grid, folder, one_process):
    with optimised_kernels(grid == "odd"):
        run_model("opencl", *half_storage(variant), "--check", "oracle", *write_grid(folder, grid)).expect(0)


def test_halves_are_right_in_three_dimensions_alone(opencl, one_process):
    with optimised_kernels():
        run_model("opencl", *half_storage("persistent"), "--depth", "5", "--check", "oracle",
                  *write_grid(opencl.folder, "odd")).expect(0)
    opencl.run(*half_storage("persistent")).expect(2, "--storage: expected f32 in two dimensions", "found f16")


def test_halves_are_rounded_without_drift(folder):
    """Rounded to nearest, they are 1.8e-3 off after these 40 000 steps."""
    problem = [TOP / "inputs/input_128x128.params", TOP / "inputs/obstacles_128x128.dat"]
    run_model("serial", "--precision", "f64", "--out", folder, *problem).expect(0)
    for file in ("final_state.dat", "av_vels.dat"):
        (folder / file).rename(folder / f"right.{file}")
    with optimised_kernels():
        run_model("opencl", *half_storage("two-grid"), "--check", folder / "right", "--json", folder / "record",
                  *problem).expect(0)
    averages = record_in(folder)["check"]["deviations"][0]
    assert averages["of"] == "av_vels" and averages["value"] < 1e-3, averages


def test_sub_groups_are_listed():
    run_command(program_of("opencl"), "--list-devices").expect(0, "sub-groups")


class FailingDevice(OpenCL):
    """The program on a device that fails (as opencl_fault.cpp takes it), or with less memory than it has."""

    def run_with(self, fault, *options):
        return run_command("env", f"LD_PRELOAD={BUILT}/libopencl_fault.so", f"BOLTZMARK_TEST_FAULT={fault}",
                           program_of("opencl"), "--no-output", "--variant", "two-grid", *options,
                           *write_grid(self.folder, "odd"))

    def expect(self, fault, part, *options):
        done = self.run_with(fault, *options).expect(3, part)
        assert done.stderr.count("\n") == 1 and part in done.stderr, str(done)


@pytest.fixture(name="device")
def failing_device(folder):
    return FailingDevice(folder)


NO_MEMORY = " has too little memory: this problem needs "


@pytest.mark.parametrize("fault, part, options", [
    *((f"clEnqueueReadBuffer 1 {status}", "; the device is lost: ", []) for status in (-2, -34, -36)),
    ("clEnqueueReadBuffer 1 -5", "cannot run the time steps: CL_OUT_OF_RESOURCES from clEnqueueReadBuffer; the device "
     "has too little memory", []),
    ("clEnqueueReadBuffer 1 -9999", "stopped a kernel that read or wrote outside", []),
    *((f"clGetPlatformIDs 1 {number}", "OCL_ICD_VENDORS", []) for number in (6, 11)),  # a library that crashes
    ("clBuildProgram 1 -11", "cannot build the OpenCL kernels for ", []),
    ("clCreateBuffer 2 -4", NO_MEMORY, []),
    ("clCreateBuffer 1 -6", NO_MEMORY, []),
    *((f"clEnqueueNDRangeKernel 1 {status}", "cannot run this kernel in groups of 4x2: CL_", ["--work-group", "4x2"])
      for status in (-54, -5))])
def test_a_device_that_fails_is_one_line(fault, part, options, device):
    device.expect(fault, part, *options)


def test_kernels_are_built_once_more(device):
    """As PoCL needs where another process puts the same kernels into its cache at the same moment."""
    device.run_with("clBuildProgram 1 -11 1").expect(0)


def test_a_device_that_fails_ends_no_other_run_of_the_process(device):
    (device.folder / "runs").write_text("--precision f32\n--precision f64\n")
    done = device.run_with("clEnqueueReadBuffer 1 -5", "--runs", device.folder / "runs").expect(3)
    assert done.stdout.count("status:\t\t3\n") == 2, str(done)


def test_groups_that_are_too_large_are_refused(opencl):
    opencl.run("--work-group", "100000x1").expect(3, "work-items")


def test_a_device_of_little_memory_is_one_line(folder):
    """PoCL takes its memory limit from the environment; it need not be the only driver here."""
    limited = ["env", "POCL_MEMORY_LIMIT=1"]
    devices = run_command(*limited, program_of("opencl"), "--list-devices").stdout
    pocl = re.search(r"^(.*?)\tcpu\t.*, 1\.0 GiB memory", devices, re.MULTILINE)
    if not pocl:
        pytest.skip("no PoCL")
    run_command(*limited, program_of("opencl"), "--no-output", "--device", pocl[1], "--variant", "two-grid",
                *write_problem(folder, "large", 4000, 4000, 1, lambda x, y: False)).expect_line(3, NO_MEMORY)
    # Nor is a start of 2 GB made first.
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    run_command(*limited, program_of("opencl", "shallow_water"), "--device", pocl[1], "9000").expect_line(3)
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < max(before + 1, 1 << 20)


def test_reductions_are_right_in_small_groups_or_say_why_not(one_process):
    """Each sum is checked against the exact one: of one value, of odd ones, of more than one launch. The published
    variants take turns with the options of index arithmetic."""
    variants = description_of("opencl", "reduce")["variants"]
    assert len(variants) == 14
    numberings, sizes, turns = cycle(("1d", "flat3d")), cycle(("literal", "argument", "query")), 0
    for variant in variants:
        name = variant["name"]
        way = ["--variant", name, "--work-group", "32x1", "--repeat", "1"]
        if has_option(variant, "ids"):
            way += ["--ids", next(numberings), "--local-size", next(sizes)]
            turns += 1
        for elements in ("1", "777", "100003"):
            done = run_model("opencl", elements, *way, workload="reduce")
            if done.returncode == 3 and re.search("fewest|hybrid|sub-group", name):
                done.expect(3, "no sub-groups that kernels can use")
            else:
                done.expect(0, "right against reference: sum 0.00e+00")
    assert turns >= 6  # each numbering with each size


@pytest.mark.parametrize("options, line, status", [
    (["0"], "ELEMENTS", 2),
    (["999999999999"], "expected arrays that fit the memory", 3),
    (["many"], "ELEMENTS", 2),
    (["--work-group", "48x1"], "--work-group: expected Nx1 with N a power of two", 2),
    (["--work-group", "65536x1"], "--work-group: ", 3),
    (["--repeat", "0"], "--repeat", 2),
    (["--variant", "vectors", "--ids", "flat3d"], "--ids", 2),
    (["--variant", "naive", "--local-size", "guess"], "--local-size", 2),
    (["--device", "abacus"], "abacus", 2),
    (["--device", "512"], 'found "512"', 2),  # not the AVX-512 in a processor's name
    (["--frob"], "--frob", 2)])
def test_bad_usage_of_reductions_is_one_line(options, line, status):
    done = run_model("opencl", *options, workload="reduce").expect_line(status, line)
    assert done.stderr.startswith("reduce-opencl: error: ")
