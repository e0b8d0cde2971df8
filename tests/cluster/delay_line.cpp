// A cable of some length between two network namespaces, for kernels without netem: every packet sent at one end
// arrives at the other a given number of microseconds later. Each way has a thread on a core of its own: one for both
// would take all of its time from one of two ranks that compute, and the other one would wait for that.
//
//   delay_line NAME1 NAME2 NAMESPACE2 MICROSECONDS     makes a tun device here and one there; runs until it is killed
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <deque>
#include <thread>
#include <vector>

namespace {

[[noreturn]] void fail(const char* what) {
  std::perror(what);
  std::exit(1);
}

int open_end(const char* name) {
  const int end = open("/dev/net/tun", O_RDWR | O_NONBLOCK);
  ifreq request = {};
  request.ifr_flags = IFF_TUN | IFF_NO_PI;
  std::strncpy(request.ifr_name, name, IFNAMSIZ - 1);
  if (end < 0 || ioctl(end, TUNSETIFF, &request) < 0) fail(name);
  return end;
}

long now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000L + time.tv_nsec;
}

struct Packet {
  long due;
  std::vector<char> bytes;
};

/// On the core of that number, or any where that is not to be had.
[[noreturn]] void carry(int from, int to, long delay, int core) {
  prctl(PR_SET_TIMERSLACK, 1UL);
  const sched_param first = {.sched_priority = 2};
  sched_setscheduler(0, SCHED_FIFO, &first);  // before ranks that spin, real-time ones too
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(core, &cores);
  sched_setaffinity(0, sizeof cores, &cores);
  std::deque<Packet> under_way;
  for (std::vector<char> buffer(1 << 16);;) {
    for (ssize_t size; (size = read(from, buffer.data(), buffer.size())) > 0;)
      under_way.push_back({now() + delay, {buffer.begin(), buffer.begin() + size}});
    long left = 1000000000L;
    for (; !under_way.empty() && (left = under_way.front().due - now()) <= 0; under_way.pop_front())
      // Packets for which the other end has no room are lost, as on a cable.
      if (write(to, under_way.front().bytes.data(), under_way.front().bytes.size()) < 0) continue;
    if (left <= 0) continue;
    pollfd event = {from, POLLIN, 0};
    const timespec timeout = {left / 1000000000L, left % 1000000000L};
    ppoll(&event, 1, &timeout, nullptr);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const long delay = std::atol(argv[4]) * 1000;
  std::array<int, 2> ends;
  ends[0] = open_end(argv[1]);
  if (const int other = open(argv[3], O_RDONLY); other < 0 || setns(other, CLONE_NEWNET) < 0) fail(argv[3]);
  ends[1] = open_end(argv[2]);
  std::puts("ready");
  std::fflush(stdout);
  std::thread(carry, ends[1], ends[0], delay, 1).detach();
  carry(ends[0], ends[1], delay, 0);
}
