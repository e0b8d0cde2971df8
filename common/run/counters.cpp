#include "common/run/counters.hpp"

#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>

#include "common/base/files.hpp"
#include "common/base/text.hpp"
#include "common/run/program.hpp"

namespace boltzmark {
namespace {

namespace fs = std::filesystem;

constexpr double line_bytes = 64.0;  // that a memory channel of a processor moves at once

/// An event and the amount that one count stands for.
struct Weighted {
  std::uint64_t config;
  double amount;
};

/// Retired FLOPs, a multiply-add as two. Intel: FP_ARITH_INST_RETIRED by width, from Broadwell on (which has ADX); AMD:
/// RETIRED_SSE_AVX_FLOPS, from Zen on.
std::vector<Weighted> flop_events(const std::string& root) {
  std::map<std::string, std::string> facts;
  std::ifstream in(root + "/proc/cpuinfo");
  for (std::string line; std::getline(in, line) && !line.empty();)
    if (const auto colon = line.find(':'); colon != line.npos)
      facts[line.substr(0, line.find_last_not_of("\t ", colon - 1) + 1)] =
          line.substr(std::min(colon + 2, line.size()));
  const int family = parse_number<int>(facts["cpu family"]).value_or(0);
  if (facts["vendor_id"] == "GenuineIntel" && contains(words_in(facts["flags"]), "adx"))
    return {{0x03c7, 1}, {0x04c7, 2}, {0x18c7, 4}, {0x60c7, 8}, {0x80c7, 16}};
  if (facts["vendor_id"] == "AuthenticAMD" && family >= 0x17) return {{0x0f03, 1}};
  return {};
}

/// The config of "event=0x04,umask=0x03", with the field positions common to all memory controllers of Intel.
std::uint64_t config_of(const std::string& text) {
  std::uint64_t config = 0;
  for (const std::string& part : split(text, ','))
    if (const auto equals = part.find('='); equals != part.npos)
      config |= std::strtoull(part.c_str() + equals + 1, nullptr, 16) << (part.starts_with("umask") ? 8 : 0);
  return config;
}

/// Events of a memory controller, in the form in which the kernel describes them: Intel's by names and scales in MiB,
/// AMD's (amd_umc) by the number of umc_cas_cmd.
std::vector<Weighted> byte_events(const fs::path& controller) {
  if (controller.filename().string().starts_with("amd_umc")) return {{0x0a, line_bytes}};
  std::vector<Weighted> events;
  for (const char* name : {"cas_count_read", "cas_count_write", "data_reads", "data_writes"}) {
    const std::string text = first_line_of(controller / "events" / name);
    const auto mib = parse_number<double>(first_line_of(controller / "events" / (std::string(name) + ".scale")));
    if (!text.empty()) events.push_back({config_of(text), mib ? *mib * 0x1p20 : line_bytes});
  }
  return events;
}

bool is_controller(const std::string& name) {
  return (name.starts_with("uncore_imc") && name.find("free_running") == name.npos) || name.starts_with("amd_umc");
}

}  // namespace

int open_event(const HardwareEvent& event) {
  perf_event_attr wanted;
  std::memset(&wanted, 0, sizeof wanted);
  wanted.size = sizeof wanted;
  wanted.type = event.type;
  wanted.config = event.config;
  wanted.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  const bool of_process = event.processor < 0;
  wanted.inherit = wanted.exclude_kernel = wanted.exclude_hv = of_process;
  return static_cast<int>(
      syscall(SYS_perf_event_open, &wanted, of_process ? 0 : -1, event.processor, -1, PERF_FLAG_FD_CLOEXEC));
}

HardwareCounters::HardwareCounters(const std::string& root, const OpenEvent& open) {
  const fs::path devices = root + "/sys/bus/event_source/devices";
  const auto type_of = [](const fs::path& device) {
    return parse_number<std::uint32_t>(first_line_of(device / "type"));
  };
  const auto cores = type_of(devices / "cpu");
  const auto events = flop_events(root);
  if (!cores)
    flops_.why_not = "the system shows no counters of its processor, as in most virtual machines";
  else if (events.empty())
    flops_.why_not = "no event that counts FLOPs is known of this processor";
  else
    for (const Weighted& one : events) flops_.add(open, {*cores, one.config}, one.amount, root);
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(devices, error)) {
    const auto type = type_of(entry.path());
    if (!type || !is_controller(entry.path().filename())) continue;
    for (const std::string& processor : split(first_line_of(entry.path() / "cpumask"), ','))
      for (const Weighted& one : byte_events(entry.path()))
        bytes_.add(open, {*type, one.config, parse_number<int>(processor).value_or(0)}, one.amount, root);
  }
  if (bytes_.counters.empty() && bytes_.why_not.empty())
    bytes_.why_not = "the system shows no counters of its memory, as in most virtual machines";
}

HardwareCounters::~HardwareCounters() {
  for (const Amount* const amount : {&bytes_, &flops_})
    for (const Counter& counter : amount->counters) close(counter.file);
}

void HardwareCounters::Amount::add(const OpenEvent& open, const HardwareEvent& event, double weight,
                                   const std::string& root) {
  if (!why_not.empty()) return;
  if (const int file = open(event); file >= 0) {
    counters.push_back({file, weight});
    return;
  }
  const bool is_forbidden = errno == EACCES || errno == EPERM;
  why_not = is_forbidden ? fmt::format("perf_event_paranoid is {}, and {} is needed, or CAP_PERFMON",
                                       first_line_of(root + "/proc/sys/kernel/perf_event_paranoid"),
                                       event.processor < 0 ? "2 or less" : "0 or less")
                         : fmt::format("the kernel has no such event ({})", std::strerror(errno));
}

void HardwareCounters::Amount::begin() {
  for (Counter& counter : counters)
    if (read(counter.file, counter.last, sizeof counter.last) != sizeof counter.last)
      why_not = "the counters could not be read";
}

double HardwareCounters::Amount::end() {
  double sum = 0.0;
  for (const Counter& counter : counters) {
    std::uint64_t now[3] = {};
    if (read(counter.file, now, sizeof now) != sizeof now) why_not = "the counters could not be read";
    const auto since = [&](int i) { return static_cast<double>(now[i] - counter.last[i]); };
    // If there are more events than counters, the kernel multiplexes them.
    if (since(1) > 0.0 && since(2) <= 0.0) why_not = "other programs use the counters";
    sum += counter.weight * since(0) * (since(2) > 0.0 ? since(1) / since(2) : 1.0);
  }
  return why_not.empty() ? sum : std::numeric_limits<double>::quiet_NaN();
}

void HardwareCounters::begin() {
  bytes_.begin();
  flops_.begin();
}

void HardwareCounters::end(Team& team) {
  bytes_.of_repeats.push_back(bytes_.end());
  flops_.of_repeats.push_back(team.sum(flops_.end()));
}

CounterRecord HardwareCounters::record(const RunFacts& facts) const {
  CounterRecord made;
  const auto take = [&](const Amount& amount, std::vector<double>& of_repeats, std::string& why_not) {
    why_not = facts.device_type == "cpu" ? amount.why_not : "the processor's counters do not count other devices";
    for (const double one : amount.of_repeats)
      if (why_not.empty() && !std::isfinite(one)) why_not = "a rank could not count them";
    if (why_not.empty()) of_repeats = amount.of_repeats;
  };
  take(bytes_, made.bytes, made.why_no_bytes);
  take(flops_, made.flops, made.why_no_flops);
  return made;
}

}  // namespace boltzmark
