#!/usr/bin/env python3
"""Bad input: one line on standard error that names the place, what was expected and what was found; exit status 2;
nothing written. Every model reads its command line and files through the same code; serial stands for all where none
differs.

    bad_input_test.py FOLDER     the folder of the built programs
"""

import os

import programs
from programs import can_run, is_built, run_model

GOOD_PARAMS = ["8", "9", "10", "10", "0.1", "0.005", "1.85"]
GOOD_OBSTACLES = "0 0 1\n"


def lines(values):
    return "".join(f"{value}\n" for value in values)


class Refusals(programs.InFolder):
    def setUp(self):
        super().setUp()
        self.params, self.obstacles = self.folder / "input.params", self.folder / "obstacles.dat"
        self.params.write_text(lines(GOOD_PARAMS))
        self.obstacles.write_text(GOOD_OBSTACLES)
        self.problem = (self.params, self.obstacles)

    def files(self):
        return sorted(self.folder.rglob("*"))

    def model_refuses(self, model, words, parts, status=2, ranks=0):
        """The run fails with one line that has all of `parts` in it, and leaves the folder unchanged."""
        before = self.files()
        done = run_model(model, *words, ranks=ranks)
        self.assertEqual(done.returncode, status, f"{words}: {done.stdout}{done.stderr}")
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertEqual(done.stdout, "")
        for part in parts:
            self.assertIn(str(part), done.stderr)
        self.assertEqual(self.files(), before)

    def refuses(self, options, parts, status=2):
        self.model_refuses("serial", ["--out", self.folder, *options, *self.problem], parts, status)

    def refuses_params(self, text, *parts):
        with self.subTest(text):
            self.params.write_text(text)
            self.refuses([], [*parts, self.params, "expected", "found"])

    def refuses_obstacles(self, text, *parts):
        with self.subTest(text):
            self.obstacles.write_text(text)
            self.refuses([], [*parts, self.obstacles, "expected", "found"])

    def needs(self, *models):
        for model in models:
            if not is_built(model) or not can_run(model):
                self.skipTest(f"{model} cannot run here")


class Refused(Refusals):
    def test_files_that_cannot_be_read(self):
        self.model_refuses("serial", [self.folder / "absent", self.obstacles], ["absent", "no such file"])
        self.model_refuses("serial", [self.params, self.folder / "absent"], ["absent", "no such file"])
        self.model_refuses("serial", [self.folder, self.obstacles], ["a folder"])

    def test_names_reach_the_terminal_as_one_line_of_text(self):
        self.model_refuses("serial", [self.folder / "a\nb\x1b[31m\r.params", self.obstacles],
                           ["a?b?[31m?.params", "no such file"])
        self.model_refuses("serial", [os.fsencode(self.folder) + b"/x\xff", self.obstacles], ["no such file"])

    def test_number_of_parameters(self):
        good = lines(GOOD_PARAMS)
        self.refuses_params("", ":1:", "nx", "an empty file")
        self.refuses_params("\n \n", "an empty file")
        self.refuses_params(lines(GOOD_PARAMS[:6]), ":7:", "omega", "the end of the file")
        self.refuses_params(good + "here\n", ":8:", "seven numbers", '"here"')
        self.refuses_params(good + "7\n", ":5:", "reynolds_dim")  # eight: nz is the third
        self.refuses_params("8\n9\n1\n10\n10\n0.1\n0.005\n1.85\n7\n", ":9:", "eight numbers", '"7"')
        # The first line at fault, not a later one that follows from it.
        self.refuses_params("# nx\n" + good, ":1:", "nx", '"# nx"')
        self.refuses_params(" ".join(GOOD_PARAMS) + "\n", ":1:", "nx", '"8 9 10')

    def refuses_value(self, line, value, *parts):
        values = list(GOOD_PARAMS)
        values[line - 1] = value
        self.refuses_params(lines(values), f":{line}:", *parts)

    def test_values_of_parameters(self):
        for line, name in enumerate(("nx", "ny", "iterations", "reynolds_dim", "density", "accel", "omega"), 1):
            for value in ("eight", "0", "-1", "8x", "1 2", "nan", "inf", "9999999999999999999999999999999999999999",
                          "1e999", "1e-60"):
                self.refuses_value(line, value, name, f'"{value}"')
        self.refuses_value(1, "8.5", "integer")
        self.refuses_value(2, "2", "3 to")
        self.refuses_value(7, "2", "below 2")
        self.refuses_value(7, "2.5", "below 2")

    def test_grid_too_large_for_memory(self):
        self.params.write_text(lines(["2000000000", "2000000000", *GOOD_PARAMS[2:]]))
        self.refuses([], [f"{self.params}:1: expected", "GB", "found 2000000000 x 2000000000"], 3)
        # Relative to the machine's memory: a grid takes 36 bytes per cell, and twice the memory is requested.
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        self.params.write_text(lines(["1000000", int(2 * memory / 36e6) + 1, *GOOD_PARAMS[2:]]))
        self.refuses([], ["GB"], 3)

    def test_obstacles(self):
        self.refuses_obstacles("", ":1:", "an empty file", "none")
        self.refuses_obstacles("0 0 1\n8 0 1\n", ":2:", "x from 0 to 7", '"8"')
        self.refuses_obstacles("0 9 1\n", ":1:", "y from 0 to 8", '"9"')
        self.refuses_obstacles("-1 0 1\n", ":1:", '"-1"')
        self.refuses_obstacles("0 0 1\n\n1 1 0\n", ":3:", "1 in the third column", '"0"')
        self.refuses_obstacles("0 0 2\n", "third column")
        self.refuses_obstacles("0 0\n", ":1:", "three numbers", '"0 0"')
        self.refuses_obstacles("0 0 1 1\n", ":1:", "three numbers")
        self.refuses_obstacles("a b 1\n", ":1:", '"a"')
        self.refuses_obstacles("99999999999999 0 1\n", ":1:", "x from 0 to 7")
        self.refuses_obstacles("".join(f"{x} {y} 1\n" for y in range(9) for x in range(8)),
                               "at least one cell", "all 72")

    def test_command_line(self):
        self.refuses(["--variant", "fastest"], ["--variant", "fused", '"fastest"'])
        self.refuses(["--no-such-option"], ["--no-such-option"])
        self.refuses(["--threads", "2"], ["--threads: not an option of lbm-serial; see --help"])
        self.refuses(["--steps", "0"], ["--steps"])
        self.refuses(["--steps", "many"], ["--steps"])
        self.refuses(["--repeat", "-3"], ["--repeat"])
        self.refuses(["--precision", "f128"], ["f128"])
        self.model_refuses("serial", [self.params], ["PARAMS and OBSTACLES"])
        self.model_refuses("serial", [], ["PARAMS and OBSTACLES"])
        self.refuses(["--check", self.folder / "nothing"], ["nothing.av_vels.dat"])
        self.refuses(["--tuned", self.folder / "nothing"], ["--tuned: expected a file", "nothing"])
        self.refuses(["--check", ""], ["--check: expected a value, found an empty one"])

    def test_options_that_a_model_does_not_have(self):
        self.refuses(["--device", "gpu"], ["--device"])
        self.refuses(["--work-group", "8x8"], ["--work-group"])
        if is_built("openmp"):
            self.model_refuses("openmp", ["--device", "0", *self.problem], ["--device"])
            self.model_refuses("openmp", ["--threads", "0", *self.problem], ["--threads"])

    def test_vector_lengths_and_time_blocks(self):
        wavefront = ["--variant", "wavefront"]
        self.refuses([*wavefront, "--vvl", "3"], ["--vvl", "expected one of", "4 (", "found 3"])
        self.refuses([*wavefront, "--vvl", "0"], ["--vvl"])
        self.refuses([*wavefront, "--time-block", "0"], ["--time-block"])
        self.refuses(["--variant", "in-place", "--time-block", "4"], ["--time-block", "in-place"])
        self.refuses(["--variant", "fused", "--vvl", "4"], ["--vvl", "fused"])
        if is_built("mpi"):
            self.model_refuses("mpi", [*wavefront, "--time-block", "3", *self.problem],
                               ["--time-block", "from 2 to 65536 in steps of 2", 'found "3"'])

    def test_devices_of_opencl(self):
        self.check_devices("opencl")

    def test_devices_of_openmp_target(self):
        self.check_devices("openmp_target")

    def check_devices(self, model):
        self.needs(model)
        self.model_refuses(model, ["--device", "abacus", "--out", self.folder, *self.problem],
                           ["abacus", "--list-devices"])
        self.model_refuses(model, ["--device", "99", "--out", self.folder, *self.problem], ["99"])

    def test_managed_memory(self):
        """Pages move between a GPU and the host; regions that map arrays have them where the runtime puts them."""
        self.needs("openmp_target")
        managed = ["--memory", "managed"]
        self.model_refuses("openmp_target", [*managed, "--variant", "fused", "--device", "cpu", *self.problem],
                           ["--memory managed", "expected a GPU"], 3)
        self.model_refuses("openmp_target", [*managed, "--variant", "textbook", *self.problem],
                           ["--memory", "textbook"])

    def test_work_groups(self):
        self.needs("opencl")
        for shape in ("8", "x", "0x4", "4x-1", "8x8x8", "ax4"):
            self.model_refuses("opencl", ["--work-group", shape, *self.problem], ["--work-group", shape])
        self.model_refuses("opencl", ["--work-group", "100000x100000", "--out", self.folder, *self.problem],
                           ["100000x100000"], 3)

    def test_output_folder_that_cannot_be(self):
        self.model_refuses("serial", ["--out", self.params, *self.problem], [self.params, "folder"])
        self.model_refuses("serial", ["--out", "/proc/boltzmark", *self.problem], ["/proc/boltzmark"])
        self.model_refuses("serial", ["--no-output", "--json", self.folder / "no/such/folder.jsonl", *self.problem],
                           ["no/such/folder.jsonl"])
        # Said before the run, not after it: this one would take too long for the test.
        self.model_refuses("serial", ["--no-output", "--steps", "100000000", "--image", self.folder, *self.problem],
                           ["expected a file to write to, found a folder"])

    def test_options_of_ranks_without_ranks(self):
        self.refuses(["--halo", "sendrecv"], ["--halo"])
        self.refuses(["--ranks-grid", "1x1"], ["--ranks-grid"])


class OfRanks(Refusals):
    """One line, however many ranks."""

    def setUp(self):
        super().setUp()
        if not is_built("mpi"):
            self.skipTest("lbm-mpi was not built")

    def test_more_ranks_than_rows(self):
        self.params.write_text(lines(["8", "3", *GOOD_PARAMS[2:]]))
        self.model_refuses("mpi", ["--out", self.folder, *self.problem], ["4 ranks", "3 rows"], ranks=4)

    def test_halo_methods(self):
        for variant in ("textbook", "shared"):
            self.model_refuses("mpi", ["--variant", variant, "--halo", "rma", *self.problem],
                               [f"--halo: variant {variant} does not take it; these do: fused, in-place, wavefront"])
        self.model_refuses("mpi", ["--variant", "fused", "--halo", "pigeon", *self.problem],
                           ["--halo", "persistent, sendrecv, rma", "pigeon"])

    def refuses_grid(self, shape, ranks, *parts):
        with self.subTest(shape):
            self.model_refuses("mpi", ["--ranks-grid", shape, "--no-output", *self.problem],
                               [*parts, "--ranks-grid", f'"{shape}"'], ranks=ranks)

    def test_grids_of_ranks(self):
        for shape in ("2", "x", "2x", "2x1x1", "0x2", "-1x-2", "2,1", " 2x1", "2x1 ", "axb", "99999999999x1"):
            self.refuses_grid(shape, 2, "expected AxB,")
        for shape in ("1x1", "2x2", "2147483647x2147483647"):
            self.refuses_grid(shape, 2, "product of 2")
        self.refuses_grid("9x1", 9, "at most 8 ranks along x")
        self.refuses_grid("1x10", 10, "at most 9 ranks along y")
        self.model_refuses("mpi", ["--variant", "wavefront", "--ranks-grid", "2x1", *self.problem],
                           ["--ranks-grid: variant wavefront does not take it; these do: fused, in-place"], ranks=2)
        self.params.write_text("8\n9\n3\n10\n10\n0.1\n0.005\n1.85\n")
        self.obstacles.write_text("0 0 0 1\n")
        self.refuses_grid("1x2", 2, "expected AxBxC,")
        self.refuses_grid("1x1x4", 4, "at most 3 ranks along z")

    def test_one_line_from_many_ranks(self):
        self.params.write_text(lines(["eight", *GOOD_PARAMS[1:]]))
        self.model_refuses("mpi", self.problem, [":1:", "nx"], ranks=3)
        self.model_refuses("mpi", ["--bogus", *self.problem], ["--bogus"], ranks=3)


if __name__ == "__main__":
    programs.main()
