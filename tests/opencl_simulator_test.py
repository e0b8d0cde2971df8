# Tier: all (minutes in a simulator)
"""Kernels of the OpenCL model under oclgrind, a simulator that finds races and bad accesses."""

import re
import shutil

import pytest
from every_model import need
from programs import built_programs, description_of, run_model, write_problem

# A problem or more of each workload, small and with odd ends. KIND: the first that the variant has.
ODD_PROBLEMS = {
    "axes": ["5"],
    "binary_fluid": ["5x4x3 --case KIND --steps 2"],
    "galton": ["37x5"],
    "heat": ["7x5 --steps 5"],
    "lbm": ["", "--depth 3"],
    "lbm_cylinder": ["12x37 --steps 3"],
    "magnetic_field": ["5"],
    "matmul": ["13x7x9"],
    "nbody": ["13 --steps 2"],
    "pi": ["333 --method KIND"],
    "reduce": ["37"],
    "scan": ["137"],
    "segments": ["3 37", "100 701"],
    "shallow_water": ["17x19 --steps 3"],
    "stream": ["101"],
    "xray": ["5x5"],
}
VARIANTS = [(one["workload"], variant) for one in built_programs() if one["model"] == "opencl"
            for variant in description_of("opencl", one["workload"])["variants"]]


@pytest.fixture(autouse=True)
def here(one_process):
    need("opencl")
    if not shutil.which("oclgrind"):
        pytest.skip("oclgrind is not installed")


def simulate(workload, *words):
    """-Drestrict=: oclgrind 21.10 stops at the intrinsic that pointers with `restrict` become. -O2 takes it less time,
    but counts what it has not unrolled as warnings. Races are looked for in lattice Boltzmann alone: groups of other
    workloads publish results by flags, which oclgrind takes for races."""
    of_lbm = workload == "lbm"
    done = run_model("opencl", "--quiet", "--no-kernel-cache", "--no-tuned", *(["--no-output"] if of_lbm else []), *words,
                     workload=workload, before=["oclgrind", "--build-options", "-O2 -w -Drestrict=", "--max-errors",
                                                "10", *(["--data-races"] if of_lbm else [])])
    done.stderr = re.sub(r"\d+ warnings? generated\.\n", "", done.stderr)
    return done


def tiny(folder):
    return write_problem(folder, "tiny", 9, 7, 3, lambda x, y: (x, y) in ((2, 3), (0, 0)))


def expect_silence(done):
    done.expect(0)
    assert not done.stdout + done.stderr, str(done)


# A shape that does not divide the grid; `published` and `textbook` have their own, a sweep goes by single layers, and
# the simulator has one unit.
SHAPES = {"published": ["--depth", "3"], "textbook": [], "resident-wavefront": ["--vvl", "4"],
          "overlapped-wavefront": ["--vvl", "4", "--groups", "3"], "wavefront": ["--work-group", "4x1"]}


@pytest.mark.parametrize("variant, precision", [(variant["name"], precision) for workload, variant in VARIANTS
                                                if workload == "lbm" for precision in variant["precisions"]])
def test_variants_have_no_races_and_no_bad_accesses(variant, precision, folder):
    done = simulate("lbm", "--variant", variant, "--precision", precision, "--check", "oracle",
                    *SHAPES.get(variant, ["--work-group", "9x3"]), *tiny(folder))
    if variant == "persistent" and done.stderr:  # whose tiles must all be resident
        done.expect_line(3)
    else:
        expect_silence(done)


@pytest.mark.parametrize("way", ["linear", "tree", "halves", "hybrid2", "hybrid4", "hybrid8"])
@pytest.mark.parametrize("variant", ["local-reduction", "in-place"])  # which add up twice in a kernel, and once
def test_reductions_have_no_races(variant, way, folder):
    for shape in ("4x3", "1x5", "16x1"):
        expect_silence(simulate("lbm", "--variant", variant, "--reduction", way, "--work-group", shape, "--check",
                                "oracle", *tiny(folder)))


def ends_of(option):
    """The two ends of what an option can be, as words of the command line."""
    name = f"--{option['name']}"
    if option["is_flag"]:
        return [], [name]
    if option["is_shape"]:
        return [name, "1x1"], [name, "16x1"]
    values = option["range"] or option["choices"] or option["worth_trying"]
    return [name, str(values[0])], [name, str(values[-1])]


def ways_of(variant):
    """All options at one end, and each number or shape against the others: one sizes a buffer, another one fills it."""
    ways, options = [()], variant["options"]
    numbers = [i for i, option in enumerate(options) if not option["is_flag"] and not option["choices"]]
    for end in (0, 1):
        for other in (*numbers, None):
            way = sum((ends_of(option)[end != (i == other)] for i, option in enumerate(options)), [])
            ways.append(tuple(way))
    return list(dict.fromkeys(ways))


def extremes():
    for workload, variant in VARIANTS:
        for problem in ODD_PROBLEMS[workload] if variant["role"] != "peer" else []:  # whose kernels are a library's
            if "--depth" not in problem or variant["kinds"]:
                words = [variant["kinds"][0] if word == "KIND" else word for word in problem.split()]
                yield pytest.param(workload, variant, words, id=f"{workload}-{variant['name']}-{'-'.join(words)}")


@pytest.mark.parametrize("workload, variant, problem", extremes())
def test_variants_stay_inside_their_buffers(workload, variant, problem, folder):
    statuses = []
    for way in ways_of(variant):
        done = simulate(workload, "--variant", variant["name"], "--precision", variant["precisions"][0], "--check",
                        "oracle", *problem, *(tiny(folder) if workload == "lbm" else ["--repeat", "1"]), *way)
        assert done.returncode in (0, 2, 3), str(done)
        assert done.stderr.count("\n") == (done.returncode != 0), str(done)
        statuses.append(done.returncode)
    if statuses[0] == 3:
        pytest.skip(f"{variant['name']} is not for oclgrind's device")
    assert 0 in statuses


def test_a_grid_that_the_device_has_no_memory_for_is_one_line(folder):
    simulate("lbm", *write_problem(folder, "large", 3000, 3000, 1, lambda x, y: False)).expect_line(
        3, "too little memory", "MiB")
