#include "common/run/environment.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <gnu/libc-version.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>

#include "common/base/clock.hpp"
#include "common/base/files.hpp"
#include "common/base/text.hpp"
#include "common/cpu/processors.hpp"
#include "common/run/nvml.hpp"
#include "common/run/program.hpp"

namespace boltzmark {

BOLTZMARK_JSON_FIELDS_OR_DEFAULTS(RepeatState, stolen, waited, gpu_mhz, throttled, disturbed)
BOLTZMARK_JSON_FIELDS_OR_DEFAULTS(RunEnvironment, machine, variables, libraries, gpu, repeats)

namespace {

constexpr double most_lost = 0.02;  // share of a repeat's time beyond which it is disturbed
constexpr double own_wait = 1e-3;   // seconds for waking own threads; other programs keep a core longer

double number_of(const std::string& file) { return parse_number<double>(first_line_of(file)).value_or(0.0); }

/// "0-3,8".
std::string ranges_of(const std::vector<int>& numbers) {
  std::vector<std::string> ranges;
  for (std::size_t first = 0, next = 0; first < numbers.size(); first = next) {
    for (next = first + 1; next < numbers.size() && numbers[next] == numbers[next - 1] + 1;) ++next;
    ranges.push_back(next == first + 1 ? std::to_string(numbers[first])
                                       : fmt::format("{}-{}", numbers[first], numbers[next - 1]));
  }
  return join(ranges, ",");
}

/// "madvise" of "always [madvise] never".
std::string chosen_in(const std::string& line) {
  const auto begin = line.find('['), end = line.find(']');
  return begin < end && end != line.npos ? line.substr(begin + 1, end - begin - 1) : line;
}

RunEnvironment::Facts variables() {
  RunEnvironment::Facts found;
  for (char** at = environ; at && *at; ++at) {
    const std::string_view one = *at;
    for (const std::string_view prefix : {"OMP_", "GOMP_", "KMP_", "LIBOMPTARGET_", "POCL_", "CUDA_", "UCX_"})
      if (const auto equals = one.find('='); one.starts_with(prefix) && equals != one.npos)
        found.emplace(one.substr(0, equals), one.substr(equals + 1));
  }
  return found;
}

/// Libraries that models are linked with, identified by their functions.
RunEnvironment::Facts libraries() {
  RunEnvironment::Facts found = {{"libc", gnu_get_libc_version()}};
  Dl_info info{};
  if (void* const symbol = dlsym(RTLD_DEFAULT, "omp_get_max_threads"); symbol && dladdr(symbol, &info) != 0) {
    std::error_code error;  // its version is in the name of its file
    found["openmp"] = std::filesystem::canonical(info.dli_fname, error).filename().string();
  }
  if (const auto version = reinterpret_cast<const char* (*)()>(dlsym(RTLD_DEFAULT, "TBB_runtime_version")))
    found["tbb"] = version();
  char text[8192] = {};  // more than any MPI_MAX_LIBRARY_VERSION_STRING
  int length = 0;
  const auto version = reinterpret_cast<int (*)(char*, int*)>(dlsym(RTLD_DEFAULT, "MPI_Get_library_version"));
  if (version && version(text, &length) == 0) found["mpi"] = split(split(text, ',').front(), '\n').front();
  return found;
}

/// NVML's clocksEventReasons that slow a GPU down; the others mean that it is idle or has a fixed clock.
constexpr std::pair<unsigned long long, const char*> gpu_throttle_words[] = {{0x04, "power cap"},
                                                                             {0x08, "hardware slowdown"},
                                                                             {0x20, "heat"},
                                                                             {0x40, "heat, by hardware"},
                                                                             {0x80, "power brake"}};

}  // namespace

RunEnvironment::Facts RunEnvironment::all() const {
  Facts facts = machine;
  facts.insert(variables.begin(), variables.end());
  for (const auto& [name, text] : libraries) facts[name + "_library"] = text;
  for (const auto& [name, text] : gpu) facts["gpu_" + name] = text;
  if (!repeats.empty())
    for (const auto& [name, mhz] : repeats.back().gpu_mhz) facts["gpu_mhz_" + name] = fmt::format("{}", mhz);
  return facts;
}

EnvironmentReader::EnvironmentReader(const RunFacts& facts, const std::string& root)
    : root_(root), processors_(usable_processor_numbers()) {
  std::set<std::string> packages;
  for (const int processor : processors_) {
    const std::string folder = fmt::format("{}/sys/devices/system/cpu/cpu{}", root_, processor);
    if (packages.insert(first_line_of(folder + "/topology/physical_package_id")).second)
      throttle_files_.push_back(folder + "/thermal_throttle/package_throttle_count");
  }
  // If the device decides, a processor has all usable ones.
  threads_ = facts.threads > 0 ? facts.threads : facts.device_type == "cpu" ? static_cast<int>(processors_.size()) : 1;
  // With more workers than processors, workers wait for each other.
  const auto most = static_cast<int>(std::max<std::size_t>(1, processors_.size()));
  has_processors_ = threads_ <= most && threads_ * facts.ranks <= sysconf(_SC_NPROCESSORS_ONLN);
  if (!facts.pci_address.empty()) gpu_ = nvml_device(facts.pci_address);
}

RunEnvironment EnvironmentReader::read() const { return {machine(), variables(), libraries(), gpu(), {}}; }

RunEnvironment::Facts EnvironmentReader::machine() const {
  const std::string cpu = root_ + "/sys/devices/system/cpu";
  std::set<std::string> governors, drivers;
  for (const int processor : processors_) {
    const std::string folder = fmt::format("{}/cpu{}/cpufreq/", cpu, processor);
    governors.insert(first_line_of(folder + "scaling_governor"));
    drivers.insert(first_line_of(folder + "scaling_driver"));
  }
  for (std::set<std::string>* const words : {&governors, &drivers}) words->erase("");
  const double quota = processor_quota(root_);
  const std::string load = first_line_of(root_ + "/proc/loadavg");
  std::string boost = first_line_of(cpu + "/cpufreq/boost");
  if (const std::string off = first_line_of(cpu + "/intel_pstate/no_turbo"); boost.empty() && !off.empty())
    boost = off == "1" ? "0" : "1";
  RunEnvironment::Facts facts = {
      {"governor", join({governors.begin(), governors.end()}, ", ")},
      {"frequency_driver", join({drivers.begin(), drivers.end()}, ", ")},
      {"boost", boost},
      {"smt", first_line_of(cpu + "/smt/control")},
      {"numa_balancing", first_line_of(root_ + "/proc/sys/kernel/numa_balancing")},
      {"huge_pages", chosen_in(first_line_of(root_ + "/sys/kernel/mm/transparent_hugepage/enabled"))},
      {"load", load.substr(0, load.find(' '))},
      {"cpu_quota", std::isfinite(quota) ? fmt::format("{:.4g} processors", quota) : "none"},
      {"affinity", ranges_of(processors_)}};
  std::erase_if(facts, [](const auto& fact) { return fact.second.empty(); });
  return facts;
}

RunEnvironment::Facts EnvironmentReader::gpu() const {
  RunEnvironment::Facts facts;
  char version[128] = {};
  unsigned milliwatts = 0;
  int is_on = 0, will_be_on = 0;
  if (!gpu_) return facts;
  if (nvml_call("nvmlSystemGetDriverVersion", version, unsigned{sizeof version})) facts["driver"] = version;
  if (nvml_call("nvmlDeviceGetEnforcedPowerLimit", gpu_, &milliwatts))
    facts["power_cap"] = fmt::format("{} W", milliwatts / 1000.0);
  if (nvml_call("nvmlDeviceGetEccMode", gpu_, &is_on, &will_be_on)) facts["ecc"] = is_on ? "on" : "off";
  return facts;
}

/// A line of /proc/stat is "cpu0 user nice system idle iowait irq softirq steal ...", in ticks; lines of processors
/// come first.
std::optional<double> EnvironmentReader::stolen_seconds() const {
  std::ifstream in(root_ + "/proc/stat");
  std::optional<double> ticks;
  for (std::string line; std::getline(in, line) && line.starts_with("cpu");) {
    const auto words = words_in(line);
    const auto processor = parse_number<int>(std::string_view(words.front()).substr(3));
    if (!processor || words.size() < 9 || !std::binary_search(processors_.begin(), processors_.end(), *processor))
      continue;
    ticks = ticks.value_or(0.0) + parse_number<double>(words[8]).value_or(0.0);
  }
  if (ticks) *ticks /= static_cast<double>(sysconf(_SC_CLK_TCK));
  return ticks;
}

EnvironmentReader::OpenFile::OpenFile(const std::string& file) : number_(open(file.c_str(), O_RDONLY | O_CLOEXEC)) {}
EnvironmentReader::OpenFile::~OpenFile() {
  if (number_ >= 0) close(number_);
}
std::string EnvironmentReader::OpenFile::text() const {
  char text[256];
  const ssize_t length = pread(number_, text, sizeof text, 0);
  return {text, static_cast<std::size_t>(std::max<ssize_t>(0, length))};
}

void EnvironmentReader::open_threads() {
  threads_waits_.clear();
  std::error_code none;
  if (!has_processors_) return;
  for (const auto& thread : std::filesystem::directory_iterator(root_ + "/proc/self/task", none))
    threads_waits_.emplace_back(thread.path().string() + "/schedstat");
}

/// The second number of a thread's schedstat: nanoseconds that it was ready to run and another thread ran.
std::optional<double> EnvironmentReader::waited_seconds() const {
  std::optional<double> seconds;
  for (const OpenFile& thread : threads_waits_)
    if (const auto words = words_in(thread.text()); words.size() == 3)
      seconds = seconds.value_or(0.0) + 1e-9 * parse_number<double>(words[1]).value_or(0.0);
  return seconds;
}

EnvironmentReader::Sample EnvironmentReader::sample() const {
  Sample now = {.stolen_seconds = stolen_seconds(), .gpu_mhz = {}};
  for (const std::string& file : throttle_files_) now.processor_throttles += number_of(file);
  if (!gpu_) return now;
  unsigned mhz = 0;
  for (const auto& [number, name] : {std::pair(1, "sm"), std::pair(2, "memory")})  // NVML_CLOCK_SM, NVML_CLOCK_MEM
    if (nvml_call("nvmlDeviceGetClockInfo", gpu_, number, &mhz)) now.gpu_mhz[name] = mhz;
  if (!nvml_call("nvmlDeviceGetCurrentClocksThrottleReasons", gpu_, &now.gpu_throttles)) now.gpu_throttles = 0;
  return now;
}

double EnvironmentReader::of_all(double seconds) const {
  const std::ptrdiff_t processors = std::max<std::ptrdiff_t>(1, std::ssize(processors_));
  return static_cast<double>(std::min<std::ptrdiff_t>(threads_, processors)) * std::max(1e-9, seconds);
}

namespace {

/// Time lost since then; negative if not known.
double lost(std::optional<double> now, std::optional<double> then) {
  return now && then ? std::max(0.0, *now - *then) : -1.0;
}

}  // namespace

void EnvironmentReader::begin() {
  if (block_ == repeats_.size()) {
    open_threads();
    before_ = sample();
  }
  waited_before_ = waited_seconds();
  began_ = Clock::now();
}

void EnvironmentReader::end(Team& team, double seconds, bool is_last) {
  constexpr double block_seconds = 0.01;
  const double elapsed = seconds_since(began_);
  const double whole = of_all(elapsed), waiting = lost(waited_seconds(), waited_before_),
               waited = team.largest(waiting / whole), beyond_own = team.largest((waiting - own_wait) / whole);
  RepeatState& state = repeats_.emplace_back();
  if (waited >= 0.0) state.waited = std::min(1.0, waited);
  if (state.waited && beyond_own > most_lost)
    state.disturbed = fmt::format("for {:.0f} % of its time others had its processors", 100.0 * *state.waited);
  timed_seconds_ += seconds;
  whole_seconds_ += elapsed;
  if (is_last || timed_seconds_ >= block_seconds) end_block(team);
}

void EnvironmentReader::end_block(Team& team) {
  const Sample after = sample();
  const double tick = 1.0 / static_cast<double>(sysconf(_SC_CLK_TCK)), whole = of_all(whole_seconds_),
               lost_seconds = lost(after.stolen_seconds, before_.stolen_seconds);
  const double share = team.largest(lost_seconds / whole), beyond_a_tick = team.largest((lost_seconds - tick) / whole);
  RepeatState common;
  if (share >= 0.0) common.stolen = std::min(1.0, share);
  if (after.processor_throttles > before_.processor_throttles) common.throttled.emplace_back("heat, processor");
  for (const auto& [bit, words] : gpu_throttle_words)
    if ((after.gpu_throttles | before_.gpu_throttles) & bit) common.throttled.emplace_back(words);
  for (const auto& [name, mhz] : before_.gpu_mhz) common.gpu_mhz[name + "_before"] = mhz;
  for (const auto& [name, mhz] : after.gpu_mhz) common.gpu_mhz[name + "_after"] = mhz;
  // A single tick may be an error of the counter.
  if (!common.throttled.empty())
    common.disturbed = "throttled: " + join(common.throttled, ", ");
  else if (beyond_a_tick > most_lost)
    common.disturbed = fmt::format("{:.0f} % of its time stolen", 100.0 * *common.stolen);
  for (; block_ < repeats_.size(); ++block_) {
    const RepeatState own = std::exchange(repeats_[block_], common);
    repeats_[block_].waited = own.waited;
    if (common.disturbed.empty()) repeats_[block_].disturbed = own.disturbed;
  }
  timed_seconds_ = whole_seconds_ = 0.0;
}

}  // namespace boltzmark
