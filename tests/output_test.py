"""Output of programs: the two result files, standard output, records, the picture; a full disk destroys no existing
file."""

import json
import os
import re
import shlex
import stat
import struct
import subprocess

import pytest
from programs import (GRIDS, TOP, built_programs, description_of, is_built, metric, program_of, records_in, run_command,
                      run_model, write_box, write_grid, write_problem)

NUMBER = r"-?\d\.\d{12}E[+-]\d\d"
QUIET = ("--quiet", "--no-output")
EVERY_PROGRAM = pytest.mark.parametrize("one", built_programs(), ids=lambda one: one["program"])


def test_result_files_have_every_cell_and_step(folder):
    run_model("serial", "--out", folder / "new/folder", *write_grid(folder, "every_edge")).expect(0)
    lines = (folder / "new/folder/final_state.dat").read_text().splitlines()
    assert len(lines) == 19 * 17
    at_rest = "0.000000000000E+00 0.000000000000E+00 0.000000000000E+00 3.333333333333E-02 1"
    for cell, line in enumerate(lines):
        assert re.fullmatch(rf"{cell % 19} {cell // 19} {NUMBER} {NUMBER} {NUMBER} {NUMBER} [01]", line), line
        if line.endswith("1"):  # an obstacle, at the initial pressure
            assert line.endswith(at_rest), line
    averages = (folder / "new/folder/av_vels.dat").read_text().splitlines()
    assert len(averages) == 40
    for step, line in enumerate(averages):
        assert re.fullmatch(rf"{step}:\t{NUMBER}", line), line


def test_a_disturbed_run_says_so(folder):
    """As its record does: of a run that shares its core with another program, where the system counts that."""
    core = str(min(os.sched_getaffinity(0)))
    with subprocess.Popen(["taskset", "-c", core, "sh", "-c", "while :; do :; done"]) as other:
        done = run_command("taskset", "-c", core, program_of("serial"), "--no-output", "--repeat", "3", "--json",
                           folder / "record.json", "128x128", "--steps", "400")
        other.kill()
    (record,) = records_in(folder / "record.json")
    words = [state["disturbed"] for state in record["environment"]["repeats"] if state["disturbed"]]
    line = re.search(r"^disturbed:\t(\d) of 3 repeats: (.*)$", done.stdout, re.MULTILINE)
    assert (line.groups() if line else None) == ((str(len(words)), words[0]) if words else None), done.stdout


def test_result_files_replace_no_links_devices_or_fifos(folder):
    """Links are followed, and other special files are written to or refused, but never replaced by a regular file."""

    def write_to(option, file):
        return run_model("serial", *QUIET, option, file, *write_box(folder))

    (folder / "kept").write_text("older")
    (folder / "link").symlink_to("kept")
    (folder / "dangling").symlink_to("new")
    for name in ("link", "dangling"):
        write_to("--image", folder / name).expect(0)
        assert (folder / name).is_symlink()
    picture = (folder / "new").read_bytes()
    assert picture[1:4] == b"PNG"
    assert (folder / "kept").read_bytes() == picture

    os.mkfifo(folder / "fifo", 0o600)
    (folder / "circle").symlink_to("circle")
    for option in ("--vtk", "--json"):
        for name in ("fifo", "circle"):  # a FIFO that nobody reads, a link that leads nowhere
            write_to(option, folder / name).expect(2)
    assert (folder / "fifo").is_fifo()
    assert (folder / "circle").is_symlink()
    printed = run_command(program_of("serial"), *QUIET, "--image", "/dev/stdout", *write_box(folder), text=False,
                          errors=None)
    assert (printed.returncode, printed.stdout) == (0, picture)

    try:  # a private node, for the machine's own must not be at risk; only root can make one
        os.mknod(folder / "full", stat.S_IFCHR | 0o600, os.makedev(1, 7))
    except PermissionError:
        return
    assert write_to("--vtk", folder / "full").returncode != 0
    assert (folder / "full").is_char_device()


def test_output_ends_with_the_coursework_lines(folder):
    done = run_model("serial", "--no-output", *write_box(folder)).expect(0)
    seconds = r"\d+\.\d{6} \(s\)\n"
    assert re.search(r"==done==\nReynolds number:\t\t\d\.\d{12}E[+-]\d\d\n" + "".join(
        rf"Elapsed {phase} time:\t\t\t{seconds}" for phase in ("Init", "Compute", "Collate", "Total")) + r"\Z",
        done.stdout), str(done)
    assert done.stderr == ""


def test_output_is_empty_when_quiet(folder):
    done = run_model("serial", *QUIET, *write_box(folder)).expect(0)
    assert done.stdout + done.stderr == ""


def test_output_says_the_variant_and_one_rate_of_a_bandwidth(folder):
    problem = write_box(folder)
    usual = run_model("serial", "--no-output", *problem).stdout
    named = run_model("serial", "--no-output", "--variant", "fused", *problem).stdout
    assert re.match(r"program:\tserial, variant \S+ \(default\), f32, 1 thread\n", usual), usual
    assert named.startswith("program:\tserial, variant fused, f32, 1 thread\n"), named
    assert re.search(r"rate:\t\t[0-9.]+ MLUPS, [0-9.]+ GB/s at [0-9]+ bytes per update\n", usual), usual
    stream = run_model("serial", "65536", workload="stream").stdout
    assert re.search(r"rate:\t\t[0-9.]+ GB/s of triad\n", stream), stream


def test_names_of_problems_stand_for_the_files_in_inputs(folder):
    def digest_of(*problem):
        run_model("serial", *QUIET, "--steps", "2", "--json", folder / "record", *problem).expect(0)
        return records_in(folder / "record")[-1]["case"]["digest"]

    inputs = TOP / "inputs"
    assert digest_of("128x256") == digest_of(inputs / "input_128x256.params", inputs / "obstacles_128x256.dat")
    assert digest_of("taylor_green") == digest_of(inputs / "input_taylor_green.params", "none")
    run_model("serial", "128x129").expect_line(2, "or one of 1024x1024, 128x128, ", ', found "128x129"\n')


@pytest.fixture(name="advice")
def advice_on_threads(folder):
    """The OpenMP model's statement about its threads, with these words of env before the program and these options
    after it."""
    if not is_built("openmp"):
        pytest.skip("lbm-openmp is not built")

    def run(environment, *options):
        return run_command("env", "-u", "OMP_PROC_BIND", *environment, program_of("openmp"), "--no-output", *options,
                           *write_box(folder)).expect(0)

    return run


PROCESSORS = len(os.sched_getaffinity(0))
FEW, MANY = min(2, PROCESSORS), PROCESSORS + 1


def test_advice_is_one_line_where_threads_are_too_many_or_unbound(advice):
    crowded = advice([], "--threads", str(MANY), "--repeat", "2")
    assert re.fullmatch(rf"lbm-openmp: warning: {MANY} threads on .*\n", crowded.stderr), str(crowded)
    assert advice([], "--threads", str(MANY), "--quiet").stderr == ""
    assert advice([], "--threads", "1").stderr == ""
    if PROCESSORS < 2:
        pytest.skip("one processor: threads are always too many")
    assert advice([], "--threads", "2").stderr == ""
    unbound = advice(["OMP_PROC_BIND=false"], "--threads", "2").stderr
    assert unbound.startswith("lbm-openmp: warning: 2 threads are not bound, "), unbound


@pytest.mark.parametrize("variant", ["textbook", "threads", "wavefront"])
def test_advice_is_not_needed_where_the_user_says_nothing(variant, advice):
    """Threads of a long run that may use one processor alone, and each another, as the system has them."""
    if PROCESSORS < 2:
        pytest.skip("one processor: nothing to choose from")
    watch = (r'"$@" & p=$!; for i in $(seq 400); do sleep 0.02; '
             r"m=$(grep -hs Cpus_allowed_list: /proc/$p/task/*/status | sort -u | grep -Ec '\s[0-9]+$'); "
             r"[ $m = 2 ] && break; done; echo $m; kill $p; wait $p")
    bound = run_command("env", "-u", "OMP_PROC_BIND", "bash", "-c", watch, "watch", program_of("openmp"), *QUIET,
                        "--threads", "2", "--variant", variant, "--steps", "10000000", "128x128")
    assert bound.stdout == "2\n", str(bound)


def test_advice_leaves_to_the_user_what_openmp_variables_say(advice):
    bound = advice(["OMP_PROC_BIND=close", "OMP_PLACES=cores", f"OMP_NUM_THREADS={FEW}"])
    assert bound.stderr == "" and f", {FEW} thread" in bound.stdout, str(bound)
    many, option = f"OMP_NUM_THREADS={MANY}", ("--threads", "1")
    assert f", {MANY} threads" in advice([many]).stdout
    assert ", 1 thread\n" in advice([many], *option).stdout
    # A runtime that changed the number of threads under way would leave rows without one.
    assert f", {MANY} threads" in advice(["OMP_DYNAMIC=true"], "--threads", str(MANY)).stdout


def test_a_check_reads_a_folder_that_a_program_has_written(folder):
    problem = write_box(folder)
    run_model("serial", "--quiet", "--out", folder, *problem).expect(0)
    for end in ("", "/"):
        run_model("serial", "--no-output", "--check", f"{folder}{end}", *problem).expect(
            0, f"check:\t\tright against {folder}")
    assert "/av_vels.dat: expected" in run_model("serial", "--check", "/", *problem).stderr


def test_a_check_calls_the_reference_by_one_word(folder):
    """The word of before stays an alias."""
    for workload, words in (("lbm", ["--no-output", *write_box(folder)]), ("stream", ["1000"])):
        for word in ("reference", "oracle"):
            run_model("serial", "--check", word, "--json", folder / "record", *words, workload=workload).expect(
                0, "check:\t\tright against reference: ")
    assert {record["check"]["against"] for record in records_in(folder / "record")} == {"reference"}
    run_model("serial", "1000", "--check", "other", workload="stream").expect(
        2, '--check: expected reference, found "other"')


@EVERY_PROGRAM
def test_programs_have_help_a_version_and_lists(one):
    for option in ("--help", "--version", "--list-variants", "--describe"):
        assert run_model(one["model"], option, workload=one["workload"]).expect(0).stdout, option


@EVERY_PROGRAM
def test_help_fits_a_screen_and_help_all_has_every_option(one):
    brief, full = (run_model(one["model"], option, workload=one["workload"]).stdout
                   for option in ("--help", "--help-all"))
    assert brief.count("\n") <= 40, brief
    assert max(map(len, brief.splitlines())) <= 100, brief
    for option in description_of(one["model"], one["workload"])["takes"]:
        assert f"--{option} " in full, option
        assert f"--{option}" in brief, option


@EVERY_PROGRAM
def test_a_description_names_what_there_is(one):
    """The driver and the tuner read the options that the programs take."""
    said = description_of(one["model"], one["workload"])
    assert {name: said[name] for name in ("workload", "model", "program")} == {
        name: one[name] for name in ("workload", "model", "program")}
    assert said["variants"]
    for variant in said["variants"]:
        assert variant["summary"] and variant["precisions"], variant
        assert {option["name"] for option in variant["options"]} <= set(said["takes"]), variant
    assert {"variant", "precision", "repeat", "json", "check", "describe"} <= set(said["takes"])
    assert bool(said["devices"]) != bool(said["no_devices"])
    assert any(variant["role"] == "like-for-like" for variant in said["variants"])


@pytest.mark.parametrize("one", [pytest.param(one, id=one["program"]) for one in built_programs()
                                 if one["model"] in ("cuda", "hip")])
def test_without_a_device_there_is_one_line(one, folder):
    if description_of(one["model"], one["workload"])["devices"]:
        pytest.skip("a device is here")
    words = {"lbm": ["--no-output", *write_box(folder)], "nbody": ["8"]}.get(one["workload"], [])
    run_model(one["model"], *words, workload=one["workload"]).expect_line(3, one["model"].upper())


def test_a_wrong_result_is_said_and_the_status_is_one(folder):
    problem = write_box(folder)
    run_model("serial", "--precision", "f64", "--out", folder, *problem).expect(0)
    averages = folder / "av_vels.dat"
    lines = averages.read_text().splitlines()
    step, average = lines[7].split("\t")
    lines[7] = f"{step}\t{float(average) * 1.001:.12E}"
    averages.write_text("\n".join(lines) + "\n")
    done = run_model("serial", "--no-output", "--check", folder, "--json", folder / "record", *problem).expect(1)
    assert "wrong" in done.stderr, str(done)
    assert records_in(folder / "record")[0]["check"]["passed"] is False


def test_an_unstable_run_is_not_passed_off(folder):
    problem = write_problem(folder, "unstable", *GRIDS["box"]._replace(steps=2000, accel=0.9, omega=1.99))
    done = run_model("serial", "--no-output", "--json", folder / "record", *problem).expect(1)
    assert "unstable" in done.stderr, str(done)
    assert metric(records_in(folder / "record")[0], "av_vel") is None


@pytest.mark.parametrize("precision", ["f32", "f64"])
@pytest.mark.parametrize("model", [model for model in ("serial", "openmp") if is_built(model)])
def test_the_physical_range_is_right_at_its_edges_and_refused_beyond(model, precision, folder):
    """Every serial and OpenMP variant, at the edges of the range of its precision."""
    params = folder / "box.params"

    def run(variant, density, accel, omega):
        params.write_text(f"24\n20\n300\n10\n{density}\n{accel}\n{omega}\n")
        return run_model(model, *QUIET, "--no-tuned", "--check", "oracle", "--precision", precision, "--variant",
                         variant, params, "none")

    def edges(pattern, *values):
        done = run("fused", *values).expect_line(2)
        return map(float, re.search(pattern, done.stderr).groups())

    least, most = edges(r"density: expected (\S+) to (\S+),", 2e-38, 0.01, 1.85)
    (least_omega,) = edges(r"omega: expected at least (\S+),", 0.1, 0.01, 1e-9)
    for variant in ("textbook", "fused", "in-place", "wavefront"):
        for accel in (1e-4, 0.005):
            for density, omega in ((least, 1.85), (most, 1.85), (least, least_omega), (0.1, least_omega)):
                run(variant, density, accel, omega).expect(0)
    for density, omega, what in ((0.9 * least, 1.85, "density: expected "), (1.1 * most, 1.85, "density: expected "),
                                 (0.1, 0.9 * least_omega, "omega: expected at least ")):
        run("fused", density, 0.01, omega).expect_line(2, what)


def test_records_are_appended_and_say_when_nothing_was_checked(folder):
    words = ["--no-output", "--json", folder / "records", *write_box(folder)]
    for _ in range(2):
        run_model("serial", *words).expect(0)
    records = records_in(folder / "records")
    assert len(records) == 2
    for record in records:
        assert record["check"]["against"] == "none" and record["check"]["passed"] is None
        assert record["warm_up_runs"] == 0


def test_a_record_is_a_line_of_its_own_behind_half_a_line(folder):
    file = folder / "records"
    file.write_text('{"half')
    for _ in range(2):
        run_model("serial", *QUIET, "--json", file, *write_box(folder)).expect(0)
    half, *whole = file.read_text().splitlines(True)
    assert half == '{"half\n'
    file.write_text("".join(whole))
    assert len(records_in(file)) == 2


def test_a_record_is_written_whatever_bytes_a_name_has(folder):
    params, obstacles = write_box(folder)
    strange = os.fsencode(folder) + b"/a\xff.params"
    os.rename(params, strange)
    run_model("serial", *QUIET, "--json", folder / "records", strange, obstacles).expect(0)
    assert records_in(folder / "records")[0]["case"]["name"] == "a\N{REPLACEMENT CHARACTER}"


def run_on_full_disk(kilobytes, *words):
    """A file-size limit (in 1024-byte units) behaves as a disk that fills up in the middle of writing."""
    command = shlex.join(map(str, (program_of("serial"), *words)))
    return run_command("bash", "-c", f"ulimit -f {kilobytes}; exec {command}")


def test_a_full_disk_leaves_the_old_files(folder):
    (folder / "final_state.dat").write_text("old state\n")
    (folder / "av_vels.dat").write_text("old averages\n")
    done = run_on_full_disk(8, "--out", folder, *write_box(folder)).expect(2)
    assert "final_state.dat" in done.stderr and done.stderr.count("\n") == 1, str(done)
    assert (folder / "final_state.dat").read_text() == "old state\n"
    assert (folder / "av_vels.dat").read_text() == "old averages\n"
    assert not [name for name in os.listdir(folder) if ".tmp" in name]


def test_a_full_disk_leaves_earlier_records(folder):
    problem, file = write_box(folder), folder / "records"
    # About 2 KB: the next record does not fit into 2 KB.
    earlier = "".join(json.dumps({"earlier": 80 * "x", "number": i}) + "\n" for i in range(20))
    file.write_text(earlier)
    done = run_on_full_disk(2, "--no-output", "--json", file, *problem).expect(2)
    assert file.name in done.stderr, str(done)
    assert file.read_text() == earlier


def test_the_picture_is_a_png_of_the_grid(folder):
    run_model("serial", "--no-output", "--image", folder / "speed.png", *write_grid(folder, "odd")).expect(0)
    png = (folder / "speed.png").read_bytes()
    assert len(png) > 100 and png.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", png[16:24]) == (37, 29)


@pytest.mark.parametrize("model, ranks", [("serial", 0), ("openmp", 0), ("mpi", 2)])
def test_each_of_many_runs_has_a_status_and_a_record(model, ranks, folder):
    """Several runs of one process, one of which is refused."""
    if not is_built(model):
        pytest.skip(f"lbm-{model} is not built")
    runs, records, out = folder / "runs", folder / "records", folder / "a b"
    runs.write_text("--variant textbook --no-output\n# a remark\n\n--variant best --no-output\n"
                    f"--precision f64 --out '{out}'\n")
    done = run_model(model, "--runs", runs, "--quiet", "--check", "oracle", "--json", records,
                     *write_grid(folder, "odd"), ranks=ranks).expect(2)
    assert '"best"' in done.stderr and done.stderr.count("\n") == 1, str(done)
    assert re.findall(r"^status:\t\t(.*)$", done.stdout, re.MULTILINE) == ["0", "2", "0"], str(done)
    one, other = records_in(records)
    assert one["variant"] == "textbook"
    assert other["precision"] == "f64" and other["check"]["passed"] is True
    assert (out / "final_state.dat").exists()


def test_a_file_of_many_runs_must_be_there(folder):
    problem = write_grid(folder, "odd")
    for words, found in (([f"--runs={folder / 'none'}"], "none that can be read"), (["--runs", folder], "a folder")):
        done = run_model("serial", *words, *problem).expect(2)
        place = folder / "none" if found.startswith("none") else folder
        assert done.stderr == (f"lbm-serial: error: --runs: {place}: expected a file with the options of a run in each "
                               f"line, found {found}\n")
