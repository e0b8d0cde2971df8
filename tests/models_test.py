"""Every model, variant, precision and way of running lattice Boltzmann against the double-precision reference, on every
small grid. The list is asked of the programs themselves, so a new model or variant is tested without a word here."""

import os
import re
from collections import Counter, defaultdict
from dataclasses import dataclass

import pytest
from every_model import Way, thread_number
from programs import (GRIDS, built_programs, description_of, has_option, optimised_kernels, program_of, records_in,
                      run_model, why_not, write_grid, write_problem)

OFFERED = [(one["model"], one["launcher"], description_of(one["model"])) for one in built_programs("lbm")]


@dataclass(frozen=True)
class Case:
    """A variant of a model in one precision, and the ways of running it."""

    model: str
    variant: str
    precision: str
    ways: list
    grids: tuple = ()  # names of those to run; empty: all
    of: str = ""

    def __str__(self):
        return "-".join(filter(None, (self.model, self.variant, self.precision, self.of)))


def takes(can, variant, option):
    """An option that no variant names is one of all variants."""
    is_named = any(has_option(one, option) for one in can["variants"])
    return option in can["takes"] and (has_option(variant, option) or not is_named)


def ways_of(launcher, can, variant):
    """The ways of running that a variant's options allow."""
    has_threads = takes(can, variant, "threads")
    if launcher:  # also with more workers than some grids have rows
        return [Way(("--threads", str(threads)) if has_threads else (), ranks)
                for ranks, threads in ((2, 1), (3, 2), (7, 1))]
    if has_threads:
        return [Way(("--threads", thread_number(can, number))) for number in (1, 2, 3, 4)]
    return [Way()]


def all_cases():
    """A model with work-groups builds kernels for every size of grid, which takes seconds. Its variants take turns at
    the grids; one is run in all of them, of the size that other tests here need as well."""
    turn = 0
    for model, launcher, can in OFFERED:
        for variant in can["variants"]:
            for precision in variant["precisions"]:
                grids = ("odd", list(GRIDS)[turn % len(GRIDS)]) if "work-group" in can["takes"] else ()
                yield Case(model, variant["name"], precision, ways_of(launcher, can, variant), grids)
                turn += 1


def half_cases():
    """Halves, of every variant on processors that stores them."""
    for model, launcher, can in OFFERED:
        for variant in can["variants"]:
            if has_option(variant, "storage") and "work-group" not in can["takes"]:
                ways = [Way((*way.options, "--storage", "f16"), way.ranks) for way in ways_of(launcher, can, variant)]
                yield Case(model, variant["name"], "f32", ways, of="halves")


def shape_cases():
    """Work-group shapes that do not divide the grid, on rows shorter and longer than a group, assigned to the variants
    in turn. Each has all of them, beginning with its own: a variant refuses some, with the reason."""
    shapes, grids, turn = ("1x1", "256x1", "16x8", "7x3"), ("odd", "tall", "wide"), 0
    for model, _, can in OFFERED:
        for variant in can["variants"]:
            if takes(can, variant, "work-group"):
                own = [shapes[(turn + i) % len(shapes)] for i in range(len(shapes))]
                yield Case(model, variant["name"], "f32", [Way(("--work-group", shape)) for shape in own],
                           (grids[turn % len(grids)],), "shapes")
                turn += 1


def words_to_test(option):
    """Values for which every variant that takes an option must be right: all there are, or some numbers."""
    name = f"--{option['name']}"
    return [(name,)] if option["is_flag"] else [(name, value) for value in option["choices"] or ("1", "7", "200")]


def choice_cases():
    """Every value of every option of a model, assigned in turn to the variants that take it."""
    for model, launcher, can in OFFERED:
        takers = Counter(option["name"] for variant in can["variants"] for option in variant["options"])
        turns = defaultdict(int)  # how often an option's values were dealt from
        for variant in can["variants"]:
            ways = []
            for option in variant["options"]:
                name = option["name"]
                if option["is_shape"] or name in ("vvl", "time-block", "groups", "ranks-grid"):
                    continue  # with tests of their own
                dealt = words_to_test(option)[turns[name]::takers[name]]
                ways += [Way(words, 3 if launcher else 0) for words in dealt]
                turns[name] += 1
            if ways:
                yield Case(model, variant["name"], "f32", ways, of="choices")


class NotHere(Exception):
    """A device that is not here, or not with these threads."""


class Runs:
    """Of a case."""

    def __init__(self, case, folder):
        self.case, self.folder, self.has_run = case, folder, False

    def run(self, way, *words):
        """Raises NotHere where the first run of a way is one that this machine cannot do."""
        case = self.case
        done = run_model(case.model, "--variant", case.variant, "--precision", case.precision, *way.options, *words,
                         ranks=way.ranks)
        if not self.has_run and done.returncode == 3:
            raise NotHere(done.stderr)
        self.has_run = True
        return done

    def in_every_way(self, test):
        """The models that this machine can run; skipped if it can run none of them."""
        why, have_run = "", False
        for way in self.case.ways:
            self.has_run = False
            try:
                test(way)
            except NotHere as not_here:
                why = str(not_here)
            have_run = have_run or self.has_run
        if not have_run:
            pytest.skip(why)

    def in_the_last_way(self, test):
        """The last one that this machine can run, which has the most workers."""
        why = ""
        for way in reversed(self.case.ways):
            self.has_run = False
            try:
                return test(way)
            except NotHere as not_here:
                why = str(not_here)
        return pytest.skip(why)

    def expect_right_on(self, way, grids):
        """The records confirm that the requested configuration ran."""
        records, right = self.folder / "records", 0
        records.unlink(missing_ok=True)
        for name in grids:
            grid = GRIDS[name]
            with optimised_kernels(not way.options and name == "odd" and self.case.precision == "f32"):
                done = self.run(way, "--check", "oracle", "--no-output", "--json", records,
                                *write_grid(self.folder, name))
            if way.ranks > grid.ny:
                done.expect(2, "ranks")
                continue
            done.expect(0)
            right += 1
        made = records_in(records) if right else []
        assert len(made) == right
        for record in made:
            expect_as_asked(record, self.case, way)


def in_a_line(shape):
    """"128x1" for "16x8"."""
    x, y = map(int, shape.split("x"))
    return f"{x * y}x1"


def expect_as_asked(record, case, way):
    """By the record, the requested configuration ran."""
    assert [record[name] for name in ("model", "variant", "precision")] == [case.model, case.variant, case.precision]
    assert record["check"]["passed"] is True
    assert way.ranks in (0, record["ranks"])
    settings = record["settings"]
    for option, asked_for in zip(way.options[::2], way.options[1::2]):
        if option == "--threads":  # on a GPU of a team, of which there are as many as the work takes
            assert (record["threads"] or settings.get("threads_per_team", 0)) == int(asked_for)
            continue
        name = option[2:].replace("-", "_")
        if (name, asked_for) == ("memory", "device"):
            continue  # the usual place, which records do not name
        if name == "work_group" and "pieces" in settings:
            asked_for = in_a_line(asked_for)  # groups that share a tile have no shape but their number of work-items
        assert settings.get(name) == asked_for, f"{name} of {way}"


@pytest.fixture(name="runs")
def runs_of(case, folder, one_process):
    with optimised_kernels(case.precision == "f32"):
        yield Runs(case, folder)


def cases(*of):
    return pytest.mark.parametrize("case", [case for make in of for case in make()], ids=str)


@cases(all_cases, half_cases)
def test_agrees_with_the_reference_on_every_grid(case, runs):
    """The ways take turns at the grids: each sees every second one, and each grid as many ways. Where ranks take their
    time to start, each grid has one way in one precision. A model with one way sees all."""
    turn = 0

    def test(way):
        nonlocal turn
        turn += 1
        number = len(case.ways)
        turns = 1 if number == 1 else 2 * number if way.ranks else 2
        first = turn + number if way.ranks and case.precision == "f64" else turn
        runs.expect_right_on(way, case.grids or [name for i, name in enumerate(GRIDS) if (i + first) % turns == 0])

    runs.in_every_way(test)


@cases(all_cases, half_cases)
def test_conserves_mass(case, runs):
    """Obstacles hide populations from the final state, so mass is seen whole only without them."""
    grid = GRIDS["empty"]._replace(steps=400)
    most = 1e-12 if case.precision == "f64" else 1e-4 if case.of == "halves" else 2e-7

    def test(way):
        runs.run(way, "--out", runs.folder, *write_problem(runs.folder, "empty", *grid)).expect(0)
        lines = (runs.folder / "final_state.dat").read_text().splitlines()
        mass = sum(3.0 * float(line.split()[5]) for line in lines)
        assert abs(mass / (0.1 * grid.nx * grid.ny) - 1) <= most, mass

    runs.in_the_last_way(test)


@cases(all_cases, half_cases)
def test_gives_the_same_every_time(case, runs):
    problem = write_grid(runs.folder, "odd")

    def test(way):
        for name, repeats in (("repeated", ("--repeat", "2")), ("once", ())):
            runs.run(way, *repeats, "--out", runs.folder / name, *problem).expect(0)
        repeated, once = ((runs.folder / name / "final_state.dat").read_bytes() for name in ("repeated", "once"))
        assert repeated == once, f"{case} {way}"

    runs.in_the_last_way(test)


@cases(shape_cases)
def test_agrees_with_the_reference_in_groups_of_any_shape(case, runs):
    """For the first shape that the variant takes."""
    is_taken = is_here = False

    def test(way):
        nonlocal is_taken, is_here
        if is_taken:
            return
        with optimised_kernels(False):
            tried = runs.run(way, "--steps", "1", "--no-output", *write_grid(runs.folder, case.grids[0]))
        is_here = True
        if tried.returncode == 2:
            tried.expect_line(2, "--work-group: expected")
            return
        is_taken = True
        runs.expect_right_on(way, case.grids)

    runs.in_every_way(test)
    assert is_taken == is_here


@cases(choice_cases)
def test_agrees_with_the_reference_with_every_choice(case, runs):
    """An odd number of steps, more than some of the delays."""
    runs.in_every_way(lambda way: runs.expect_right_on(way, ["wrap_x"]))


def test_long_rows_add_up_right(folder, one_process):
    """Rows so long that the sum of their speeds would lose two digits in single precision, and runs of obstacles longer
    than the number of cells added up at once."""
    problem = write_problem(folder, "long", 40009, 3, 10, lambda x, y: y == 0 and 900 < x < 1100 and x % 3 != 0)
    for model, _, can in OFFERED:
        # The others share the sums of serial, or add up over trees.
        if model not in ("serial", "openmp", "openmp_target") or why_not(model):
            continue
        for variant in can["variants"]:
            done = run_model(model, "--variant", variant["name"], "--check", "oracle", "--no-output", *problem)
            if "expected an NVIDIA GPU" not in done.stderr:
                done.expect(0)


def test_openmp_target_looks_for_no_constants_on_the_device():
    """A constant that the optimiser takes out of a GPU's image is missed by LLVM's runtime, and no region starts there.
    On the host it is an offload entry that is not a region; tables of the binary fluid are kept in the image."""
    for one in built_programs():
        if one["model"] == "openmp_target":
            names = re.findall(rb"\.omp_offloading\.entry\.([^\0]*)",
                               program_of("openmp_target", one["workload"]).read_bytes())
            for name in names:
                assert name.startswith((b"__omp_offloading", b"_ZN9boltzmark12binary_fluid")), one["program"]


@pytest.mark.parametrize("model", [model for model, *_ in OFFERED])
def test_large_grids_are_refused_in_one_line(model, folder):
    """The system kills processes that use up its memory without a message: models must report it before."""
    if why_not(model):
        pytest.skip(why_not(model))
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    nx = 10007
    ny = int(0.95 * memory / 36 / nx)  # one grid takes almost all there is
    (folder / "large.params").write_text(f"{nx}\n{ny}\n1\n10\n0.1\n0.005\n1.85\n")
    run_model(model, "--out", folder, folder / "large.params", "none").expect_line(3, "memory")
    assert not (folder / "final_state.dat").exists()
