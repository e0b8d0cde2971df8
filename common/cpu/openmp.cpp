#include "common/cpu/openmp.hpp"

#include <errno.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "common/base/error.hpp"
#include "common/base/print.hpp"
#include "common/base/text.hpp"
#include "common/cpu/processors.hpp"

namespace boltzmark {
namespace {

/// The first number of "4,2", if all of them are numbers of threads.
std::optional<int> first_of_list(std::string_view text) {
  std::optional<int> first;
  for (const std::string& one : split(text, ',')) {
    const auto words = words_in(one);
    const auto number = words.size() == 1 ? parse_number<int>(words.front()) : std::nullopt;
    if (!number || *number < 1 || *number > most_threads) return {};
    if (!first) first = number;
  }
  return first;
}

/// Whether "64 M" is a stack that the regions here have room in; `unit`: bytes of a number without a letter.
bool is_stack(std::string_view text, double unit) {
  const auto words = words_in(text);
  std::string size = join(words, "");
  if (size.empty() || words.size() > 2) return false;
  constexpr std::string_view units = "bkmgt";
  if (const auto at = units.find(lower_case(size).back()); at != units.npos) {
    unit = std::pow(1024.0, at);
    size.pop_back();
  }
  const double bytes = unit * static_cast<double>(parse_number<std::uint64_t>(size).value_or(0));
  return bytes >= 1 << 20 && bytes < 1e18;
}

/// Variables whose wrong values end the runtimes, and the values expected.
struct Variable {
  const char* name;
  bool (*fits)(std::string_view value);
  const char* expected;
};
constexpr const char *threads_expected = "numbers of threads, 1 to 16384, as in 4 or 4,2",
                     *stack_expected = "a thread's stack of 1M or more, as in 8M";
static_assert(most_threads == 16384);
constexpr Variable openmp_variables[] = {
    {"OMP_NUM_THREADS", [](std::string_view value) { return first_of_list(value).has_value(); }, threads_expected},
    {"OMP_STACKSIZE", [](std::string_view value) { return is_stack(value, 1024); }, stack_expected},
    {"GOMP_STACKSIZE", [](std::string_view value) { return is_stack(value, 1024); }, stack_expected},
    {"KMP_STACKSIZE", [](std::string_view value) { return is_stack(value, 1); }, stack_expected}};

/// Removes variables with other values from the environment. It is called before the constructors of any library, in
/// which LLVM's runtime reads them: version 16 ends the process if the number of threads is empty, and takes all memory
/// if it is a word. The C library has no `environ` yet.
void drop_what_does_not_fit(int, char** arguments, char** environment) {
  const char* const folder = std::strrchr(arguments[0], '/');
  for (const auto& [name, fits, expected] : openmp_variables)
    for (char** at = environment; *at; ++at) {
      const std::string_view one = *at, value = one.substr(std::min(one.size(), std::strlen(name) + 1));
      if (one.substr(0, one.find('=')) != name || fits(value)) continue;
      print_warning(folder ? folder + 1 : arguments[0],
                    fmt::format("{}: expected {}, found {}; it is not used", name, expected, quoted(value)));
      for (char** rest = at; (rest[0] = rest[1]);) ++rest;
      break;
    }
}
[[gnu::section(".preinit_array"), gnu::used]] void (*before_libraries)(int, char**, char**) = drop_what_does_not_fit;

bool are_starting = false;
std::string last_line;       ///< of a process that a runtime ends
struct sigaction of_others;  ///< handler of SIGABRT before

void end_while_starting() {
  if (!are_starting) return;
  [[maybe_unused]] const auto written = write(STDERR_FILENO, last_line.data(), last_line.size());
  _exit(static_cast<int>(ExitStatus::unavailable));
}

}  // namespace

int told_threads() {
  const char* const text = std::getenv("OMP_NUM_THREADS");
  return first_of_list(text ? text : "").value_or(0);
}

int default_threads(int of_runtime) {
  // Not usable_cores(): a runtime that binds threads has bound this one to a single processor.
  return told_threads() > 0 ? of_runtime : left_in_groups(of_runtime);
}

std::string set_variables() {
  std::vector<std::string> set;
  for (char** at = environ; at && *at; ++at)
    for (const char* const prefix : {"OMP_", "GOMP_", "KMP_"})
      if (std::string_view(*at).starts_with(prefix)) set.emplace_back(*at);
  std::sort(set.begin(), set.end());
  return set.empty() ? "" : " (" + join(set, ", ") + ")";
}

FirstThreads::FirstThreads() {
  static const int registered = std::atexit(end_while_starting);
  last_line = fmt::format("{}: error: expected to start the threads of OpenMP, found that its runtime gives up{}\n",
                          program_invocation_short_name, one_line(set_variables()));
  are_starting = registered == 0;
  struct sigaction ends {};
  ends.sa_handler = [](int) { end_while_starting(); };
  sigaction(SIGABRT, &ends, &of_others);
}
FirstThreads::~FirstThreads() {
  sigaction(SIGABRT, &of_others, nullptr);
  are_starting = false;
}

void end_with_other_threads(int found, int expected) {
  static std::atomic_flag is_said;
  while (is_said.test_and_set()) pause();  // another thread has detected it too, and ends the process
  print_error(program_invocation_short_name,
              fmt::format("expected parallel regions of {}, as the first one, found one of {}{}",
                          counted(expected, "thread"), found, set_variables()));
  _exit(static_cast<int>(ExitStatus::unavailable));
}

}  // namespace boltzmark
