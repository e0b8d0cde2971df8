// A cable of some length between two network namespaces, for kernels without netem: every packet that one end sends
// comes out of the other one so many microseconds later.
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

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const long delay = std::atol(argv[4]) * 1000;
  std::array<int, 2> ends;
  ends[0] = open_end(argv[1]);
  if (const int other = open(argv[3], O_RDONLY); other < 0 || setns(other, CLONE_NEWNET) < 0) fail(argv[3]);
  ends[1] = open_end(argv[2]);
  prctl(PR_SET_TIMERSLACK, 1UL);
  const sched_param first = {.sched_priority = 1};
  sched_setscheduler(0, SCHED_FIFO, &first);  // before ranks that spin, where that is allowed
  std::puts("ready");
  std::fflush(stdout);
  std::array<std::deque<Packet>, 2> under_way;  // by the end that they came in at
  for (std::vector<char> buffer(1 << 16);;) {
    long next = 1000000000L;
    for (int from = 0; from < 2; ++from) {
      for (ssize_t size; (size = read(ends[from], buffer.data(), buffer.size())) > 0;)
        under_way[from].push_back({now() + delay, {buffer.begin(), buffer.begin() + size}});
      for (auto& queue = under_way[from]; !queue.empty(); queue.pop_front()) {
        if (const long left = queue.front().due - now(); left > 0) {
          next = left < next ? left : next;
          break;
        }
        // What the other end has no room for is lost, as on a cable.
        if (write(ends[1 - from], queue.front().bytes.data(), queue.front().bytes.size()) < 0) continue;
      }
    }
    pollfd events[] = {{ends[0], POLLIN, 0}, {ends[1], POLLIN, 0}};
    const timespec timeout = {next / 1000000000L, next % 1000000000L};
    ppoll(events, 2, &timeout, nullptr);
  }
}
