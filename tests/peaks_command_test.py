"""`boltzmark peaks` as a user runs it, with made-up measuring programs beside a copy of the driver, so that every way
they can behave is quick to try."""

import fcntl
import json
import shutil
import signal
import subprocess
import time

import programs
import pytest
from programs import run_command

NO_NETWORK = ("boltzmark: the network: it was not built; install libbenchmark-dev, libopenmpi-dev and openmpi-bin, and "
              "build again\n")
READ, LAUNCH = "bandwidth/pattern:read/cores:1/bytes:16384", "launch/device:0"
LATENCY, TRANSFER = "latency/level:L1/cores:1/bytes:16384", "transfer/device:0/direction:to"
NONE = {"median": 0, "min": 0, "max": 0}
MEASURED = {"bandwidths": [], "computes": [], "latencies": [], "notes": []}
PROCESSOR = {"name": "processor", "cores": 1, "memory_bytes": 0,
             "caches": [{"name": "L1", "bytes": 32 << 10, "instances": 1, "cores": 1}]} | MEASURED
DEVICE = {"name": "device", "type": "", "platform": "", "driver": "driver 1", "compute_units": 0, "memory_bytes": 0,
          "cache_bytes": 0, "local_bytes": 0, "launch_seconds": NONE, "to_device_gb_per_s": NONE,
          "from_device_gb_per_s": NONE} | MEASURED


def described(processor, devices):
    return {"format": 1, "host": "made-up", "date": "", "key": "", "compiler": "", "flags": "", "revision": "",
            "processor": processor, "devices": devices, "sweep": []}


def figure(name, rate=1e9):
    unit = "bytes_per_second" if name.startswith("bandwidth") else "items_per_second"
    return {"run_name": name, "run_type": "iteration", unit: rate}


class Peaks:
    def __init__(self, folder):
        self.folder, self.results = folder, folder / "results"
        (folder / "bin").mkdir()
        shutil.copy(programs.FOLDER / "boltzmark", folder / "bin")
        self.describe()
        self.figures("cpu", figure(READ, 1e11), figure(READ.replace("16384", "8192"), 1e11))
        self.figures("opencl", figure(LAUNCH, 1e5))
        self.program("cpu")
        self.program("opencl")

    def describe(self, cache=32 << 10, driver="driver 1", kind="", **more):
        """Made by each of the programs."""
        processor = {**PROCESSOR, "caches": [{**PROCESSOR["caches"][0], "bytes": cache}]}
        for half, text in (("cpu", described(processor, [])),
                           ("opencl", described({**PROCESSOR, "name": "", "cores": 0, "caches": []},
                                                [{**DEVICE, "driver": driver, "type": kind}]))):
            (self.folder / f"{half}.described").write_text(json.dumps(text | more))

    def figures(self, half, *figures):
        (self.folder / f"{half}.figures").write_text(json.dumps({"benchmarks": figures}))
        self.list(half, *(one["run_name"] for one in figures))

    def list(self, half, *names):
        """What a program could measure."""
        (self.folder / f"{half}.list").write_text("".join(f"{name}/min_time:0.005/manual_time\n" for name in names))

    def program(self, half, before_figures="", instead=""):
        """It describes itself, and prints its figures."""
        file, prefix = self.folder / f"bin/boltzmark-peaks-{half}", self.folder / half
        file.write_text("#!/bin/sh\n" + (instead or f"""[ "$1" = --describe ] && exec cat {prefix}.described
[ "$1" = --benchmark_list_tests=true ] && exec cat {prefix}.list
echo "$@" >> {prefix}.runs
{before_figures}
cp {prefix}.figures "${{1#--benchmark_out=}}"
"""))
        file.chmod(0o700)

    def calls(self, half):
        file = self.folder / f"{half}.runs"
        return file.read_text().splitlines() if file.exists() else []

    def runs(self):
        """How often the programs have measured."""
        return len(self.calls("cpu")), len(self.calls("opencl"))

    def command(self, *words):
        return self.folder / "bin/boltzmark", "peaks", "--results", self.results, *words

    def run(self, *words):
        done = run_command(*self.command(*words))
        done.stderr = done.stderr.replace(NO_NETWORK, "")
        return done

    @property
    def file(self):
        return self.results / "peaks.json"

    def kept(self):
        return json.loads(self.file.read_text())

    def last_note(self):
        return self.kept()["processor"]["notes"][-1]

    def aside(self):
        return list(self.results.glob("old-*"))


@pytest.fixture(name="peaks")
def made_up_peaks(folder):
    return Peaks(folder)


def test_measures_once_and_then_prints_what_is_kept(peaks):
    first = peaks.run("--quiet").expect(0, "Processor: processor", "launch  us    10.00 (10.00-10.00)")
    assert not first.stderr
    kept = peaks.kept()
    assert (kept["host"], len(kept["processor"]["bandwidths"]), len(kept["sweep"])) == ("made-up", 1, 2)
    assert {file.name for file in (peaks.results / "peaks").iterdir()} >= {"cpu.json", "opencl.json"}
    before = peaks.file.read_text()
    peaks.run().expect(0, "measured before")
    assert (peaks.runs(), peaks.file.read_text()) == ((1, 1), before)
    peaks.run("--fresh").expect(0)
    assert peaks.runs() == (2, 2)
    (aside,) = peaks.aside()
    assert (aside / "peaks.json").read_text() == before
    assert (aside / "peaks/cpu.json").exists()


def test_measures_the_half_that_has_changed(peaks):
    peaks.run().expect(0)
    key = peaks.kept()["key"]
    peaks.describe(cache=64 << 10)
    peaks.run().expect(0)
    assert peaks.runs() == (2, 1)
    assert peaks.kept()["key"] != key
    assert len(peaks.kept()["devices"]) == 1
    peaks.describe(cache=64 << 10, driver="driver 2")
    peaks.run().expect(0)
    assert peaks.runs() == (2, 2)
    assert peaks.kept()["devices"][0]["driver"] == "driver 2"
    peaks.program("cpu", before_figures="# another build")
    peaks.run().expect(0)
    assert peaks.runs() == (3, 2)
    peaks.describe(cache=64 << 10, driver="driver 2", date="later")  # no figure depends on it
    peaks.run().expect(0)
    assert peaks.runs() == (3, 2)


def test_one_half_alone(peaks):
    peaks.run("--only", "opencl").expect(0)
    assert peaks.runs() == (0, 1)
    assert peaks.kept()["processor"]["cores"] == 0
    assert peaks.kept()["key"].startswith("cpu:- opencl:")
    peaks.run("--only", "cpu", "--fresh").expect(0)
    assert (peaks.kept()["processor"]["cores"], len(peaks.kept()["devices"])) == (1, 1)
    peaks.run().expect(0)
    assert peaks.runs() == (1, 1)


def test_brief_figures_do_not_pass_for_full_ones(peaks):
    for _ in range(2):
        peaks.run("--brief").expect(0)
    assert len(peaks.calls("cpu")) == 1
    assert peaks.last_note() == "rough (--brief): bandwidths; `boltzmark peaks` measures them better"
    for words in ((), ("--brief",)):  # full figures do for who wants brief ones
        peaks.run(*words).expect(0)
        assert len(peaks.calls("cpu")) == 2
        assert not any("rough" in note for note in peaks.kept()["processor"]["notes"][-1:])


def test_a_roof_below_another_that_it_cannot_be_below_is_measured_once_more(peaks):
    peaks.figures("cpu", *(figure(READ.replace("16384", str(size)), rate) for size, rate in (
        (8192, 1e10), (16384, 1e10), (128 << 20, 4e10), (256 << 20, 4e10))))
    peaks.program("cpu")
    line = "L1 read on 1 core (10.0 GB/s) is below DRAM read on 1 core (40.0 GB/s)"
    done = peaks.run("--quiet").expect(0)
    assert done.stderr == f"boltzmark: {line}; repeat `boltzmark peaks --fresh` on a quiet machine\n"
    _, again = peaks.calls("cpu")
    assert "bytes:8192|bandwidth/pattern:read/cores:1/bytes:16384)/" in again
    assert "bytes:134217728" not in again
    assert peaks.last_note() == f"contradiction: {line}"
    assert peaks.kept()["processor"]["bandwidths"][0]["roof"] == 10.0  # what was measured
    prefix = peaks.folder / "cpu"
    peaks.program("cpu", f"[ $(wc -l < {prefix}.runs) = 4 ] && sed -i s/10000000000/90000000000/g {prefix}.figures")
    assert not peaks.run("--quiet", "--fresh").stderr
    assert len(peaks.calls("cpu")) == 4  # the second look was right


def test_for_a_plan_what_its_runs_need_and_later_the_rest(peaks):
    def ready(half, measured, *others):
        peaks.figures(half, figure(measured))
        peaks.list(half, measured, *others)

    def measured(half):
        return [word for line in peaks.calls(half) for word in line.split() if word.startswith("--benchmark_filter=")]

    peaks.describe(kind="cpu")
    ready("cpu", READ, LATENCY)
    ready("opencl", LAUNCH, TRANSFER)
    (peaks.folder / "share/boltzmark").mkdir(parents=True)
    (peaks.folder / "share/boltzmark/programs.json").write_text(json.dumps([
        {"program": f"stream-{model}", "workload": "stream", "model": model, "launcher": False, "skipped": ""}
        for model in ("serial", "opencl")]))
    plan = peaks.folder / "short.json"
    plan.write_text('{"summary": "short", "runs": [{"workload": "stream", "model": "*"}]}')
    peaks.run("--for", plan, "--models", "serial", "--quiet").expect(0)
    assert measured("cpu") == [f"--benchmark_filter=^({READ})/"]
    assert not peaks.calls("opencl")  # no model of the plan uses it
    assert "no run of the plan short is bound by it: latencies" in peaks.last_note()

    peaks.run("--for", plan, "--quiet").expect(0)
    assert len(peaks.calls("cpu")) == 1  # what the plan needs is there
    assert measured("opencl") == [f"--benchmark_filter=^({LAUNCH})/"]

    ready("cpu", LATENCY, READ)
    ready("opencl", TRANSFER, LAUNCH)
    peaks.run("--brief", "--quiet").expect(0)
    assert "rough (--brief): latencies;" in peaks.last_note()  # and no figure for the plan
    assert "-part" in peaks.kept()["key"]
    peaks.run("--quiet").expect(0)
    assert measured("cpu")[1:] == [f"--benchmark_filter=^({LATENCY})/"] * 2
    assert (peaks.results / "peaks/cpu.json").read_text().count(LATENCY) == 1  # the better one replaces the rough one
    assert f"--benchmark_filter=^({TRANSFER})/" in measured("opencl")
    assert not peaks.aside()  # nothing is replaced
    assert "-part" not in peaks.kept()["key"]
    peaks.run("--for", plan, "--quiet").expect(0)
    assert sum(peaks.runs()) == 6  # all figures do for a plan


def test_says_what_to_install(peaks):
    (peaks.folder / "bin/boltzmark-peaks-opencl").unlink()
    done = peaks.run("--quiet").expect(0, "OpenCL devices: it was not built; install libbenchmark-dev")
    assert done.stderr.count("\n") == 1
    assert " opencl:- " in peaks.kept()["key"]
    peaks.run("--only", "opencl").expect(3, "ocl-icd-opencl-dev")
    (peaks.folder / "bin/boltzmark-peaks-cpu").unlink()
    done = peaks.run().expect(3, "the processor: it was not built; install libbenchmark-dev")
    assert not done.stdout


def test_devices_that_are_gone_are_dropped(peaks):
    peaks.run().expect(0)
    peaks.program("opencl", instead="echo 'boltzmark-peaks-opencl: error: no OpenCL device found' >&2; exit 3\n")
    assert peaks.run("--quiet").expect(0).stderr == "boltzmark: the OpenCL devices: no OpenCL device found\n"
    assert (peaks.kept()["devices"], peaks.kept()["processor"]["cores"]) == ([], 1)
    assert len(peaks.calls("cpu")) == 1


@pytest.mark.parametrize("script, reason", [
    ("kill -SEGV $$", "ended by signal 11"), ("echo 'x: error: bad luck' >&2; exit 2", "bad luck"),
    ("echo half > ${1#--benchmark_out=}; exit 0", "expected JSON"),
    ("echo {} > ${1#--benchmark_out=}; exit 0", "expected at least one measurement"),
    ("exec sleep 60", "time limit of 2 s")])
def test_a_failure_of_one_half_leaves_the_other(script, reason, peaks):
    peaks.program("opencl", script)
    done = peaks.run("--quiet", "--fresh", "--brief", "--time-limit", "2").expect(1, reason)
    assert done.stderr.count("\n") == 1, str(done)
    assert (peaks.kept()["devices"], peaks.kept()["processor"]["cores"]) == ([], 1)
    assert not (peaks.results / "peaks/opencl.json.new").exists()


def test_a_failure_leaves_what_was_measured_before(peaks):
    peaks.run().expect(0)
    before = peaks.file.read_text()
    for half in ("cpu", "opencl"):
        peaks.program(half, "exit 1")
    peaks.run("--fresh").expect(1)
    assert (peaks.aside(), peaks.file.read_text()) == ([], before)


def test_stopped_by_a_signal_it_changes_nothing(peaks):
    peaks.run().expect(0)
    before = peaks.file.read_text()
    peaks.program("opencl", "sleep 60")
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(peaks.command("--fresh"), **quiet) as driver:
        end = time.monotonic() + programs.LIMIT
        while len(peaks.calls("opencl")) < 2 and time.monotonic() < end:
            time.sleep(0.01)
        driver.send_signal(signal.SIGINT)
        errors = driver.communicate()[1]
    assert driver.returncode == 130
    assert "boltzmark: stopped" in errors
    assert (peaks.aside(), peaks.file.read_text()) == ([], before)
    assert not list((peaks.results / "peaks").glob("*.new"))


def test_a_broken_file_is_said_and_measured_anew(peaks):
    peaks.run().expect(0)
    half = peaks.file.read_text()[:500]
    peaks.file.write_text(half)
    done = peaks.run("--quiet").expect(0, "peaks.json:", "measuring again")
    assert done.stderr.count("\n") == 1
    assert peaks.kept()["processor"]["cores"] == 1
    (aside,) = peaks.aside()
    assert (aside / "peaks.json").read_text() == half


def test_a_dry_run_shows_the_commands_and_touches_nothing(peaks):
    assert peaks.run("--dry-run").expect(0).stdout.count("--benchmark_out=") == 2
    assert not peaks.results.exists()
    peaks.run().expect(0)
    peaks.run("--dry-run").expect(0, "# nothing to do: ")


def test_bad_usage_is_a_line(peaks):
    for words in (("--only", "gpu"), ("--time-limit", "0"), ("--nonsense",)):
        peaks.run(*words).expect_line(2, words[0])
    peaks.results.mkdir()
    with (peaks.results / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        peaks.run().expect(2, "no other boltzmark is using")
