#include "analysis/support/process_tree.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "common/base/clock.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

namespace fs = std::filesystem;

const fs::path proc = "/proc";

/// State and parent out of /proc/PID/stat, whose second field is a name that may hold anything; none where the
/// process is gone.
struct Stat {
  char state = 'X';
  pid_t parent = 0;
};
Stat stat_of(pid_t process) {
  std::ifstream in(proc / std::to_string(process) / "stat");
  std::string text;
  std::getline(in, text);
  const auto name_end = text.rfind(')');
  if (name_end == text.npos) return {};
  const auto words = words_in(std::string_view(text).substr(name_end + 1));
  if (words.size() < 2) return {};
  return {words[0].front(), parse_number<pid_t>(words[1]).value_or(0)};
}

/// Not every kernel lists children: then every process is asked for its parent.
bool lists_children() {
  static const bool does = [] {
    std::error_code error;
    const std::string self = std::to_string(getpid());
    return fs::exists(proc / self / "task" / self / "children", error);
  }();
  return does;
}

std::vector<pid_t> listed_children(pid_t process) {
  std::vector<pid_t> children;
  std::error_code error;
  for (fs::directory_iterator task(proc / std::to_string(process) / "task", error), end;
       !error && task != end; task.increment(error)) {
    std::ifstream in(task->path() / "children");
    for (pid_t child = 0; in >> child;) children.push_back(child);
  }
  return children;
}

std::multimap<pid_t, pid_t> all_by_parent() {
  std::multimap<pid_t, pid_t> all;
  std::error_code error;
  for (fs::directory_iterator entry(proc, error), end; !error && entry != end; entry.increment(error))
    if (const auto process = parse_number<pid_t>(entry->path().filename().string()))
      all.emplace(stat_of(*process).parent, *process);
  return all;
}

}  // namespace

std::vector<pid_t> descendants_of(pid_t root) {
  std::multimap<pid_t, pid_t> by_parent;
  if (!lists_children()) by_parent = all_by_parent();
  std::vector<pid_t> found;
  const auto add_children_of = [&](pid_t process) {
    if (lists_children()) {
      const auto children = listed_children(process);
      found.insert(found.end(), children.begin(), children.end());
    } else {
      const auto [first, last] = by_parent.equal_range(process);
      for (auto at = first; at != last; ++at) found.push_back(at->second);
    }
  };
  add_children_of(root);
  for (std::size_t next = 0; next < found.size(); ++next) add_children_of(found[next]);
  return found;
}

TreeUse use_of(const std::vector<pid_t>& processes) {
  static const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  TreeUse use;
  for (const pid_t process : processes) {
    const char state = stat_of(process).state;
    if (state == 'Z' || state == 'X') continue;
    ++use.running;
    std::ifstream in(proc / std::to_string(process) / "statm");
    std::uint64_t size = 0, resident = 0;
    if (in >> size >> resident) use.bytes += page * resident;
  }
  return use;
}

void end_descendants() {
  constexpr double most_seconds = 10.0;
  const auto start = Clock::now();
  do {
    for (const pid_t process : descendants_of(getpid())) kill(process, SIGSTOP);
    for (const pid_t process : descendants_of(getpid())) kill(process, SIGKILL);
    while (waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    siginfo_t info{};
    if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0) return;  // no child is left
    const timespec pause{.tv_sec = 0, .tv_nsec = 2'000'000};
    nanosleep(&pause, nullptr);
  } while (seconds_since(start) < most_seconds);
}

}  // namespace boltzmark
