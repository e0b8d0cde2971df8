"""Two hosts on this machine, each with a name, a network, processes and shared memory of its own, joined by a cable:

    node1  10.73.0.1   the test itself and what it starts
    node2  10.73.0.2   entered through `Hosts.on_second`

The test starts itself again in namespaces whose first process ends all others with it, so that nothing outlives it,
however it ends. Files of both are in one folder in memory.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

NAMES = ("node1", "node2")
ADDRESSES = ("10.73.0.1", "10.73.0.2")
SPACES = ["unshare", "--net", "--uts", "--ipc", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
# As on a machine of its own: a name, memory that processes share, and addresses of both. Namespaces inherit the
# system's TCP congestion control; a BBR would pace packets by timers, on the ranks' cores.
BECOME = """hostname {name}; mount -t tmpfs shm /dev/shm; mount --bind {folder}/hosts /etc/hosts
(echo reno > /proc/sys/net/ipv4/tcp_congestion_control) 2> /dev/null || true
ip link set lo up; ip link set {link} up; ip address add {address}/24 dev {link}
"""


def skip(why):
    print("skipped:", why)
    sys.exit(0)


def enter(*needed):
    """Goes on only in the namespaces of the first host; ends the test as skipped where these cannot be had, or one of
    the needed programs."""
    folder = os.environ.get("BOLTZMARK_TEST_HOSTS")
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    if folder is None:
        for program in (*needed, "unshare", "nsenter", "ip", "tc"):
            if not shutil.which(program):
                skip(f"no {program} here")
        spaces = SPACES if os.geteuid() == 0 else [*SPACES, "--user", "--map-root-user"]
        trial = subprocess.run([*spaces, "ip", "link", "add", "cable1", "type", "veth", "peer", "name", "cable2"],
                               capture_output=True, text=True)
        if trial.returncode:
            skip(f"no namespaces here: {trial.stderr.strip()}")
        # The shell, process 1 there, reaps orphans. Killed, the test leaves an empty folder.
        folder = os.environ["BOLTZMARK_TEST_HOSTS"] = tempfile.mkdtemp()
        script = f'python3 "$@"; status=$?; cd /; umount -l {folder}; rmdir {folder}; exit $status'
        os.execvp("unshare", [*spaces, "sh", "-c", script, "sh", *sys.argv])
    subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=755", "test", folder], check=True)
    return Hosts(Path(folder))


def wait_until(condition, what, seconds=1800):
    end = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > end:
            raise AssertionError(f"expected within {seconds} s: {what}")
        time.sleep(0.05)
    return found


class Hosts:
    def __init__(self, folder):
        self.folder, self.line = folder, None
        (folder / "hosts").write_text("127.0.0.1 localhost\n" + "".join(
            f"{address} {name}\n" for address, name in zip(ADDRESSES, NAMES)))
        (folder / "tmp").mkdir()
        os.environ["TMPDIR"] = str(folder / "tmp")
        self.start_second()
        # The command with which mpirun starts its daemon on another host, in place of ssh.
        self.agent = folder / "agent"
        self.agent.write_text(f"#!/bin/sh\nshift\nexec env -i PATH=\"$PATH\" TMPDIR=$TMPDIR "
                              f"$(cat {folder}/second) sh -c \"$*\"\n")
        self.agent.chmod(0o755)

    def become(self, number, inside):
        script = BECOME.format(name=NAMES[number], address=ADDRESSES[number], folder=self.folder,
                               link=f"cable{number + 1}")
        subprocess.run([*inside, "sh", "-ec", script], check=True)

    def start_second(self):
        subprocess.run(["ip", "link", "add", "cable1", "type", "veth", "peer", "name", "cable2"], check=True)
        self.second = subprocess.Popen([*SPACES, "sh", "-c", "sleep 1d & wait"])
        children = Path(f"/proc/{self.second.pid}/task/{self.second.pid}/children")
        first = wait_until(lambda: children.read_text().split(), "the first process of the second host")[0]
        self.inside = ["nsenter", "-t", first, "-n", "-u", "-i", "-m", "-p"]
        (self.folder / "second").write_text(" ".join(self.inside))
        subprocess.run(["ip", "link", "set", "cable2", "netns", first], check=True)
        self.become(1, self.inside)
        self.become(0, [])

    def restart_second(self):
        subprocess.run(["ip", "link", "delete", "cable1"], capture_output=True)  # it may have gone with the host
        self.second.kill()
        self.second.wait()
        self.start_second()

    def on_second(self, *words):
        return [*self.inside, *words]

    def delay(self, microseconds, line=None):
        """Delays every packet, by netem or by a line of that length (the program delay_line) in place of the cable;
        returns which."""
        self.mend()
        if microseconds == 0:
            return "the cable alone"
        netem = ["netem", "delay", f"{microseconds}us", "limit", "100000"]
        if all(subprocess.run([*inside, "tc", "qdisc", "replace", "dev", link, "root", *netem],
                              capture_output=True).returncode == 0
               for link, inside in (("cable1", []), ("cable2", self.inside))):
            return "netem"
        if line is None or not Path(line).exists():
            raise AssertionError("expected a kernel with netem, or delay_line")
        self.mend()
        for link, inside in (("cable1", []), ("cable2", self.inside)):
            subprocess.run([*inside, "ip", "address", "flush", "dev", link], check=True)
        first = self.inside[self.inside.index("-t") + 1]
        self.line = subprocess.Popen([line, "line1", "line2", f"/proc/{first}/ns/net", str(microseconds)],
                                     stdout=subprocess.PIPE, text=True)
        if self.line.stdout.readline().strip() != "ready":
            raise AssertionError("expected tun devices")
        for link, inside, address in (("line1", [], ADDRESSES[0]), ("line2", self.inside, ADDRESSES[1])):
            subprocess.run([*inside, "sh", "-ec", f"ip link set {link} mtu 65000 up; ip address add {address}/24 dev {link}"],
                           check=True)
        return "a line of tun devices"

    def slow_down(self):
        """For both ends of the cable; returns the present settings. Not every kernel has netem."""
        for kind in (["netem", "delay", "1ms", "rate", "100mbit"],
                     ["tbf", "rate", "20mbit", "burst", "5kb", "latency", "500ms"]):
            if all(subprocess.run([*inside, "tc", "qdisc", "replace", "dev", link, "root", *kind],
                                  capture_output=True).returncode == 0
                   for link, inside in (("cable1", []), ("cable2", self.inside))):
                return " ".join(kind)
        raise AssertionError("expected a kernel with netem or tbf")

    def mend(self):
        if self.line:
            self.line.kill()
            self.line.wait()
            self.line = None
            for number, (link, inside) in enumerate((("cable1", []), ("cable2", self.inside))):
                subprocess.run([*inside, "ip", "address", "add", f"{ADDRESSES[number]}/24", "dev", link], check=True)
        for link, inside in (("cable1", []), ("cable2", self.inside)):
            subprocess.run([*inside, "tc", "qdisc", "del", "dev", link, "root"], capture_output=True)
