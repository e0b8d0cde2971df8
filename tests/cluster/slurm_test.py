#!/usr/bin/env python3
# Tier: all (needs Slurm)
"""`boltzmark job` under a real Slurm of two nodes (hosts.py): its script is submitted, cancelled, cut off by its time
limit and submitted again.

    slurm_test.py FOLDER     the folder of the built programs
"""

import json
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

import hosts as two_hosts
from hosts import wait_until

PROGRAMS = Path()
HOSTS = None
BOX = "".join(f"{x} {y} 1\n" for x in range(64) for y in (0, 63))

# Two processors per node, whatever the machine has. Slurm checks time limits every half minute.
CONFIGURATION = """
ClusterName=test
SlurmctldHost=node1({address})
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
TmpFS={folder}/tmp.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/{tasks}
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
KillWait=3
NodeName=node1 NodeAddr={address} CPUs=2 RealMemory=500
NodeName=node2 NodeAddr={other} CPUs=2 RealMemory=500
PartitionName=all Nodes=node1,node2 Default=YES MaxTime=INFINITE State=UP
"""


def call(*words, status=0, **more):
    # Open MPI 4.1's ranks now and then open a file of their node's shared memory before it is there.
    for _ in range(3):
        done = subprocess.run([str(word) for word in words], cwd=HOSTS.folder, capture_output=True, text=True,
                              timeout=1800, **more)
        if "failed during shared memory initialization" not in done.stderr:
            break
    assert status is None or done.returncode == status, f"{words}: {done.returncode}, {done.stdout}{done.stderr}"
    return done.stdout


def start_cluster():
    folder = HOSTS.folder
    key = folder / "munge.key"
    key.write_bytes(os.urandom(1024))
    key.chmod(0o600)
    (folder / "slurm.conf").write_text(CONFIGURATION.format(
        folder=folder, tasks="affinity" if bound() else "none", address=two_hosts.ADDRESSES[0],
        other=two_hosts.ADDRESSES[1]))
    (folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\n")
    for name in ("state", "spool.node1", "spool.node2", "tmp.node1", "tmp.node2"):
        (folder / name).mkdir()
    os.environ["SLURM_CONF"] = str(folder / "slurm.conf")
    call("munged", f"--socket={folder}/munge.socket", f"--key-file={key}", f"--pid-file={folder}/munged.pid",
         f"--log-file={folder}/munged.log", f"--seed-file={folder}/munge.seed")
    call("slurmctld")
    call("slurmd", "-N", "node1")
    call(*HOSTS.on_second("slurmd", "-N", "node2"))
    wait_until(lambda: "2 idle" in call("sinfo", "-h", "-o", "%D %t", status=None), "two idle nodes")


def bound():
    """A single processor cannot be dealt to two ranks."""
    return len(os.sched_getaffinity(0)) > 1


def submit(name, *options):
    return re.search(r"\d+", call("sbatch", *options, name)).group()


def state(job):
    return call("squeue", "-h", "-t", "all", "-j", job, "-o", "%T").strip()


def end_of(job):
    going_on = ("PENDING", "CONFIGURING", "RUNNING", "SIGNALING", "COMPLETING")
    wait_until(lambda: state(job) not in going_on, f"end of {job}")
    return state(job)


class Slurm(unittest.TestCase):
    def job(self, name, runs, *options, repeats=1, nodes=2):
        """A plan and a script of this name; results go into the folder of the name."""
        (HOSTS.folder / f"{name}.json").write_text(json.dumps({
            "repeats": repeats, "time_limit_seconds": 600,
            "cases": [{"params": "input_t.params", "obstacles": "t.dat"}], "runs": runs}))
        script = call(PROGRAMS / "boltzmark", "job", f"{name}.json", "--scheduler", "slurm", "--nodes", nodes,
                      "--results", name, "--time", 9, "--name", name, *options)
        (HOSTS.folder / f"{name}.sh").write_text(script)
        return f"{name}.sh"

    def rows(self, name):
        file = HOSTS.folder / name / "runs.jsonl"
        lines = file.read_text().split("\n") if file.exists() else [""]
        return [json.loads(line) for line in lines[:-1]]

    def log(self, name):
        return "".join(file.read_text() for file in sorted(HOSTS.folder.glob(f"{name}-*.log")))

    def wait_for_rows(self, name, number):
        wait_until(lambda: len(self.rows(name)) >= number, f"{number} rows of {name}")

    def expect_end(self, name, job, *states):
        self.assertIn(end_of(job), states, self.log(name))
        for inside in ([], HOSTS.inside):
            self.assertNotIn("lbm-mpi", call(*inside, "ps", "ax"), "ranks that are left")

    def test_runs_of_two_nodes(self):
        runs = [{"model": "mpi", "variant": "in-place", "ranks": [1, 2, 4, 8]},
                {"model": "mpi", "variant": "shared", "ranks": [2, 4]}]
        expected = {("in-place", 1): "", ("in-place", 2): "", ("in-place", 4): "", ("shared", 2): "",
                    ("in-place", 8): "8 ranks of 1 thread, but 2 nodes with 2 ranks of 1 core",
                    ("shared", 4): "expected all ranks on one machine, with memory in /dev/shm; found ranks or "
                                   "memory elsewhere"}
        for name, options in (("by_srun", ["--mpi", "pmix"]), ("by_mpirun", ["--start", "mpirun"])):
            with self.subTest(name):
                script = self.job(name, runs, "--ranks-per-node", 2, *options)
                self.expect_end(name, submit(script), "COMPLETED")
                rows = self.rows(name)
                self.assertEqual({(row["key"]["variant"], row["key"]["ranks"]): row["reason"] for row in rows},
                                 expected)
                for row in rows:
                    self.assertEqual(row["status"], "impossible" if row["reason"] else "ok")
                    if not row["reason"]:
                        self.assertEqual(row["record"]["ranks"], row["key"]["ranks"])
                        if bound():
                            self.assertRegex(row["record"]["environment"]["machine"]["affinity"], r"^\d+$")

    def test_every_rank_has_a_core_of_its_own(self):
        """The script's launcher by itself, and a program that it starts."""
        script = (HOSTS.folder / self.job("bound", [{"model": "mpi", "ranks": 4}], "--ranks-per-node", 2,
                                          "--mpi", "pmix")).read_text()
        launcher = re.search("--launcher '(.*)'", script).group(1)
        for mark, value in (("ranks", 4), ("nodes", 2), ("ranks_per_node", 2), ("cpus", 1)):
            launcher = launcher.replace(f"{{{mark}}}", str(value))
        words = launcher.split()
        places = call(*words, "sh", "-c", "echo $(hostname) $(grep Cpus_allowed_list /proc/self/status)").splitlines()
        self.assertEqual(len(places), 4)
        self.assertEqual({line.split()[0] for line in places}, set(two_hosts.NAMES))
        if bound():
            self.assertEqual(len(set(places)), 4, places)
            self.assertTrue(all(re.search(r"\s\d+$", line) for line in places), places)
        self.assertIn("4 ranks", call(*words, PROGRAMS / "lbm-mpi", "--no-output", "--check", "oracle",
                                      "input_t.params", "t.dat"))

    def test_without_pmi(self):
        """Ranks that do not know one another are not a run of several ranks."""
        script = self.job("alone", [{"model": "mpi", "variant": "in-place", "ranks": 2}], "--ranks-per-node", 1)
        self.expect_end("alone", submit(script), "FAILED")
        self.assertEqual([row["reason"] for row in self.rows("alone")],
                         ["Open MPI found no PMIx in its launcher; Slurm's has it by srun --mpi=pmix"])

    def test_cancelled_job_goes_on(self):
        """On the other node."""
        script = self.job("cancelled", [{"model": "mpi", "variant": "in-place", "ranks": 2}], "--ranks-per-node", 2,
                          "--mpi", "pmix", repeats=6, nodes=1)
        job = submit(script, "--nodelist=node1")
        self.wait_for_rows("cancelled", 2)
        call("scancel", job)
        self.expect_end("cancelled", job, "CANCELLED")
        finished = self.rows("cancelled")
        self.assertIn(f"stopped; {len(finished)} of 6 runs are finished and kept", self.log("cancelled"))
        self.expect_end("cancelled", submit(script, "--nodelist=node2"), "COMPLETED")
        rows = self.rows("cancelled")
        self.assertEqual(rows[:len(finished)], finished)
        self.assertEqual([row["status"] for row in rows], ["ok"] * 6)
        self.assertIn(f"{len(finished)} of 6 runs are finished already", self.log("cancelled"))
        self.assertEqual({row["record"]["provenance"]["host"] for row in rows}, set(two_hosts.NAMES))

    def test_time_limit(self):
        """Long before all runs are done; a run that it ends has no row."""
        script = self.job("limit", [{"model": "mpi", "variant": "in-place", "ranks": 2}], "--ranks-per-node", 1,
                          "--mpi", "pmix", repeats=500)
        job = submit(script)
        self.wait_for_rows("limit", 2)
        call("scontrol", "update", f"JobId={job}", "EndTime=now+3")
        self.expect_end("limit", job, "FAILED", "TIMEOUT")
        rows = self.rows("limit")
        self.assertEqual({row["status"] for row in rows}, {"ok"}, self.log("limit"))
        self.assertIn(f"stopped; {len(rows)} of 500 runs are finished and kept", self.log("limit"))


def main():
    global PROGRAMS
    PROGRAMS = Path(sys.argv.pop(1)).resolve()
    (HOSTS.folder / "input_t.params").write_text("64\n64\n100\n10\n0.1\n0.005\n1.85\n")
    (HOSTS.folder / "t.dat").write_text(BOX)
    start_cluster()
    unittest.main()


if __name__ == "__main__":
    if not Path(sys.argv[1], "lbm-mpi").exists():
        two_hosts.skip("mpi was not built")
    if os.geteuid() != 0:
        two_hosts.skip("slurmd has to be started by root")
    HOSTS = two_hosts.enter("munged", "slurmctld", "slurmd", "sbatch", "mpirun")
    main()
