"""`boltzmark job`: the scripts are good shell, and run the plan's runs with the ranks that it says."""

import json
import os
import re
import shutil
from pathlib import Path

import programs
import pytest
from every_model import need
from programs import run_command, write_box

PLAN = {"repeats": 1, "cases": [{"params": "input_box.params", "obstacles": "obstacles_box.dat", "steps": 20}],
        "runs": [{"model": "mpi", "variant": "like-for-like", "ranks": [1, 2, 5]}]}


class Job:
    """A plan of 1, 2 and 5 ranks, and a folder `bin` for what stands in for a batch system."""

    def __init__(self, folder):
        self.folder, self.plan, self.bin = folder, folder / "plan.json", folder / "bin"
        write_box(folder)
        self.plan.write_text(json.dumps(PLAN))
        self.bin.mkdir()

    def stand_in(self, name, text):
        (self.bin / name).write_text(f"#!/bin/bash\n{text}\n")
        (self.bin / name).chmod(0o700)

    def job(self, *words, plan="", before=()):
        return run_command(*before, programs.FOLDER / "boltzmark", "job", plan or self.plan, *words)

    def with_path(self, *words, plan="quick"):
        """Where `bin` has all programs that there are."""
        return self.job(*words, plan=plan, before=["/usr/bin/env", f"PATH={self.bin}"])

    def script(self, *words):
        """Kept in a file; the results go beside it."""
        text = self.job(*words, "--results", self.folder / "results").expect(0).stdout
        (self.folder / "job.sh").write_text(text)
        run_command("bash", "-n", self.folder / "job.sh").expect(0)
        return text

    def run(self):
        return run_command("bash", self.folder / "job.sh",
                           env={**os.environ, "PATH": f"{self.bin}:{os.environ['PATH']}"})

    def results(self):
        """Ranks of the runs that were right, and why there are no others, in the plan's order."""
        entries = map(json.loads, (self.folder / "results/runs.jsonl").read_text().splitlines())
        runs = sorted((one for one in entries if "key" in one), key=lambda one: one["key"]["ranks"])
        return [one["record"]["ranks"] if one["status"] == "ok" else one["reason"].split("\n")[0] for one in runs]


@pytest.fixture(name="job")
def job_in(folder):
    need("mpi")
    return Job(folder)


NO_ROOM = "5 ranks of 1 thread, but {}"


@pytest.mark.parametrize("words", [
    "slurm --nodes 2 --ranks-per-node 1 --setup", "pbs --nodes 2 --ranks-per-node 1",
    "flux --nodes 2 --ranks-per-node 1", "mpirun --ranks-per-node 2 --hosts hosts"])
def test_scripts_have_nothing_that_shellcheck_warns_of(words, job):
    if not shutil.which("shellcheck"):
        pytest.skip("shellcheck is not installed")
    job.script("--scheduler", *words.split(), *(['echo "$HOSTNAME"'] if words.endswith("--setup") else []))
    run_command("shellcheck", "--severity=warning", job.folder / "job.sh").expect(0)


def test_every_run_of_the_plan_starts_through_srun(job):
    # Keeps its options, and starts as many ranks as it is told.
    job.stand_in("srun", 'for word; do [[ $word == --* ]] || break; options+=($word); shift; done\n'
                 f'echo "${{options[@]}}" >> {job.folder}/srun.log\n'
                 '[[ " ${options[*]} " =~ \\ --ntasks=([0-9]+)\\  ]] || exit 9\n'
                 'exec mpirun -np "${BASH_REMATCH[1]}" "$@"')
    text = job.script(*"--scheduler slurm --nodes 2 --ranks-per-node 1 --gpus-per-rank 1 --time 00:05:00 --partition test "
                      "--account me --mpi pmix --directive --exclusive --setup".split(), 'echo "on $HOSTNAME" >&2')
    lines = text.splitlines()
    for option in ("nodes=2", "ntasks-per-node=1", "cpus-per-task=1", "gpus-per-node=1", "time=00:05:00",
                   "partition=test", "account=me", "exclusive"):
        assert f"#SBATCH --{option}" in lines, text
    assert "no room for 5 ranks" in text
    assert job.run().expect(0).stderr.startswith("on ")
    assert job.results() == [1, 2, NO_ROOM.format("2 nodes with 1 rank of 1 core")]
    binding = "--cpus-per-task=1 --cpu-bind=cores --distribution=block:block --kill-on-bad-exit=1 --mpi=pmix"
    assert sorted((job.folder / "srun.log").read_text().splitlines()) == [
        f"--nodes={ranks} --ntasks={ranks} --ntasks-per-node=1 {binding}" for ranks in (1, 2)]


def test_ranks_that_are_alone_are_no_run_of_several(job):
    job.stand_in("srun", 'while [[ $1 == --* ]]; do shift; done\nexec "$@"')
    job.script("--scheduler", "slurm", "--ranks-per-node", "2")
    job.run().expect(1)
    assert job.results() == [1, "expected 2 ranks, found 1: is the launcher that of another MPI library?",
                             NO_ROOM.format("1 node with 2 ranks of 1 core")]


def test_every_run_of_the_plan_starts_on_the_hosts_of_a_file(job):
    siblings = "/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list"
    if len({Path(siblings.format(one)).read_text() for one in os.sched_getaffinity(0)}) < 2:
        pytest.skip("two ranks are bound to two cores")
    hosts = job.folder / "hosts"
    job.script("--scheduler", "mpirun", "--ranks-per-node", "2", "--hosts", hosts)
    hosts.write_text("# none\n\n")
    job.run().expect_line(2, f"{hosts}: expected 1 node, one per line\n")
    hosts.write_text("localhost slots=2\n")
    job.run().expect(0)
    assert job.results() == [1, 2, NO_ROOM.format("1 node with 2 ranks of 1 core")]


def test_its_room_is_the_plans(job):
    def room(*words):
        return re.search(r"--nodes .*(?= \\)", job.job(*words, plan="scaling-strong").stdout)[0]

    assert room("--scheduler", "slurm") == "--nodes 1 --ranks-per-node 16 --cpus-per-rank 1"
    assert room(*"--scheduler slurm --nodes 2 --ranks-per-node 2".split()) == (
        "--nodes 2 --ranks-per-node 2 --cpus-per-rank 4")


@pytest.mark.parametrize("scheduler, parts", [
    ("slurm", ["#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=2\n#SBATCH --cpus-per-task=1\n",
               "#SBATCH --gpus-per-node=2\n"]),
    ("pbs", ["#PBS -N n\n#PBS -l select=2:ncpus=2:mpiprocs=2:ngpus=2\n#PBS -l walltime=01:00:00\n"]),
    ("flux", ["#flux: --nodes=2\n#flux: --nslots=4\n#flux: --cores-per-slot=1\n", "#flux: --gpus-per-slot=1\n"])])
def test_gpus_are_asked_for(scheduler, parts, job):
    job.job("--scheduler", scheduler, "--nodes", "2", "--name", "n", plan="scaling-gpu-weak").expect(0, *parts)


def test_the_batch_system_and_the_cores_of_its_nodes_are_found(job):
    job.with_path().expect(2, "--scheduler: expected slurm, pbs, flux or mpirun, found none, and no")
    job.stand_in("sbatch", "")
    job.stand_in("sinfo", "echo '4 16+'; echo '2 24'")
    job.with_path().expect(0, "#SBATCH --ntasks-per-node=48\n")

    def request(ranks, cpus):
        return f"--ntasks-per-node={ranks}\n#SBATCH --cpus-per-task={cpus}\n"

    # Threads that a plan leaves open use a whole node; serial programs do not.
    for words, plan, asked in (("", "ladder-cpu", request(1, 48)), ("--models serial", "ladder-cpu", request(1, 1)),
                               ("--cpus-per-rank 6", "ladder-cpu", request(1, 6)),
                               ("--nodes 2", "scaling-strong", request(8, 2))):  # 16 threads of OpenMP
        job.with_path(*words.split(), plan=plan).expect(0, asked)
    job.with_path("--ranks-per-node", "64").expect(
        0, "expected at most the 48 cores of a node, found --ranks-per-node and --cpus-per-rank for 64")
    assert not job.with_path("--ranks-per-node", "48").stderr
    (job.bin / "sinfo").unlink()
    unknown = job.with_path(plan="ladder-cpu").expect(0, request(1, 1))
    for text in (unknown.stdout, unknown.stderr):
        assert "use all cores of the job on a node, here 1; --cpus-per-rank asks for more" in text, str(unknown)
    job.with_path().expect(2, "--ranks-per-node: expected the number of cores of a node")


@pytest.mark.parametrize("words, line", [
    (["lsf"], '--scheduler: expected slurm, pbs, flux or mpirun, found "lsf"'),
    (["slurm", "--time", "soon"], '--time: expected minutes, hours:minutes:seconds or days-hours, found "soon"'),
    (["slurm", "--partition", "a b"], '--partition: expected one word, found "a b"'),
    (["slurm", "--hosts", "h"], "--hosts: expected only with --scheduler mpirun, found it with slurm"),
    (["mpirun", "--time", "5"], "--time: expected only with --scheduler slurm, pbs or flux, found it with mpirun"),
    (["mpirun", "--nodes", "2"], "--hosts: expected a file with a line for each of 2 nodes, found nothing"),
    (["slurm", "--directive", "exclusive"], "--directive: expected one line that begins with a dash"),
    (["slurm", "--start", "ssh"], '--start: expected srun or mpirun, found "ssh"'),
    (["slurm", "--nodes", "0"], "--nodes"),
    (["slurm", "--cases", "lake"], '--cases: expected some of box, found "lake"'),
    (["slurm", "--models", "mpy"], "--models: expected some of serial, ")])
def test_bad_options_are_one_line(words, line, job):
    job.job("--scheduler", *words).expect_line(2, line)


def test_a_plan_that_fills_nodes_needs_their_cores(job):
    job.job("--scheduler", "slurm", plan="full").expect(
        2, "--ranks-per-node: expected the number of cores of a node, as plan full fills nodes")


@pytest.fixture(name="site")
def site_of(job):
    """Calls job with these lines in the site file's section [job]; `file` is that file."""

    def call(lines, *words):
        call.file.write_text(f'[run]\nrepeats = 7\n[job]\nscheduler = "slurm"  # of all\n{lines}\n')
        return run_command(programs.FOLDER / "boltzmark", "--site", call.file, "job", job.plan, *words)

    call.file = job.folder / "site.toml"
    return call


@pytest.mark.parametrize("line, option", [("nodes = 0", "nodes"), ('nodes = "two"', "nodes"), ('time = "5x"', "time")])
def test_a_wrong_value_of_the_site_file_has_its_place(line, option, site):
    site(line).expect_line(2, f"boltzmark: error: {site.file}:5: --{option}: ")
    site('time = "5"', "--time", "5x").expect_line(2, "boltzmark: error: --time: ")


def test_a_job_has_no_more_cores_on_a_node_than_the_site_file(job, site):
    cores = "ranks-per-node = 4\ncpus-per-rank = 2"
    for words in (["--ranks-per-node", "5"], ["--cpus-per-rank", "3"]):
        site(cores, *words).expect_line(2, f"expected at most 8 cores on a node, as in {site.file}:5, found ")
    site(cores, "--ranks-per-node", "8", "--cpus-per-rank", "1").expect(0)
    job.plan.write_text(job.plan.read_text().replace("[1, 2, 5]", '4, "threads": 2'))
    hybrid = site("ranks-per-node = 4").expect(0, "--cpus-per-rank 1")
    assert "no room for 4 ranks of 2 threads" in hybrid.stderr, str(hybrid)
