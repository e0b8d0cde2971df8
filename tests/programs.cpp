#include "programs.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "analysis/run/plan.hpp"
#include "analysis/support/process.hpp"
#include "common/base/error.hpp"
#include "common/base/text.hpp"

namespace boltzmark::testing {
namespace {

namespace fs = std::filesystem;

/// Takes away what a user has set for other runs, and gives this process and its children folders of their own.
[[maybe_unused]] const bool has_clean_environment = [] {
  std::vector<std::string> names;
  for (char** entry = environ; *entry; ++entry) {
    const std::string variable = *entry;
    for (const char* start : {"OMP_", "GOMP_", "KMP_", "HWLOC_", "POCL_", "COLUMNS="})
      if (variable.starts_with(start)) names.push_back(variable.substr(0, variable.find('=')));
  }
  for (const auto& name : names) unsetenv(name.c_str());
  setenv("OMP_PROC_BIND", "false", 1);               // programs at the same time would bind to the same processors
  setenv("XDG_DATA_HOME", BOLTZMARK_TEST_CACHE, 1);  // tuned options
  // PoCL keeps kernels itself. For a binary, which our cache would ask it for, it compiles each of them once more.
  setenv("POCL_CACHE_DIR", BOLTZMARK_TEST_CACHE "/pocl", 1);
  setenv("XDG_CACHE_HOME", "/dev/null", 1);
  setenv("COMPILER_PATH", BOLTZMARK_SOURCE_DIR "/tests/linker", 1);
  setenv("POCL_EXTRA_BUILD_FLAGS", "-cl-opt-disable", 1);
  return true;
}();

/// Where Open MPI keeps its files: processes that are started and end at the same time remove each other's folder in
/// the one that it takes for all of a user's.
class MpiFolder {
 public:
  MpiFolder() {
    std::string name = (fs::temp_directory_path() / "mpi-XXXXXX").string();
    if (!mkdtemp(name.data())) return;
    path_ = name;
    setenv("OMPI_MCA_orte_tmpdir_base", name.c_str(), 1);
  }
  MpiFolder(const MpiFolder&) = delete;
  MpiFolder& operator=(const MpiFolder&) = delete;
  ~MpiFolder() {
    std::error_code error;
    if (!path_.empty()) fs::remove_all(path_, error);
  }

 private:
  fs::path path_;
};
const MpiFolder mpi_folder;

SignalWatch& signals() {
  static SignalWatch watch;
  return watch;
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "boltzmark-test-XXXXXX").string();
  if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
  path = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path, ignored);
}

std::string read_text(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_text(const fs::path& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }

const Grid& grid(const std::string& name) {
  static const std::vector<Grid> grids = {
      {"box", 32, 32, 60, [](int x, int y) { return x == 0 || y == 0 || x == 31 || y == 31; }},
      {"odd", 37, 29, 50, [](int x, int y) { return (x * 7 + y * 13) % 11 == 0; }},
      {"three_rows", 50, 3, 40, [](int x, int y) { return y == 0 && x < 5; }},
      {"every_edge", 19, 17, 40,
       [](int x, int y) {
         return ((x == 0 || x == 18) && y % 3 == 0) || ((y == 0 || y == 16) && x % 4 == 1) || (y == 15 && x == 9);
       }},
      {"one_step", 21, 21, 1, [](int x, int y) { return x == y; }},
  };
  const auto found = std::ranges::find(grids, name, &Grid::name);
  if (found == grids.end()) throw std::logic_error("no such grid: " + name);
  return *found;
}

Words write_problem(const TemporaryFolder& folder, const Grid& g) {
  const fs::path params = folder / ("input_" + g.name + ".params"),
                 obstacles = folder / ("obstacles_" + g.name + ".dat");
  write_text(params, fmt::format("{}\n{}\n{}\n10\n0.1\n{}\n{}\n", g.nx, g.ny, g.steps, g.accel, g.omega));
  std::string lines;
  for (int y = 0; y < g.ny; ++y)
    for (int x = 0; x < g.nx; ++x)
      if (g.blocked(x, y)) lines += fmt::format("{} {} 1\n", x, y);
  if (lines.empty()) return {params.string(), "none"};
  write_text(obstacles, lines);
  return {params.string(), obstacles.string()};
}

namespace {

Environment environment_of_commands() {
  Environment environment = launcher_environment();
  environment.emplace_back("OMP_WAIT_POLICY", "passive");  // tests share the cores
  // Starts of ranks at the same time take the folder that they all share away from one another.
  static const TemporaryFolder sessions;
  environment.emplace_back("OMPI_MCA_orte_tmpdir_base", sessions.path.string());
  // Half of a start of ranks is a look for networks to send through; on one host they share memory.
  environment.emplace_back("OMPI_MCA_pml", "ob1");
  // And most of a start that is refused is a second in which the other ranks may end by themselves.
  environment.emplace_back("OMPI_MCA_odls_base_sigkill_timeout", "0");
  // Ranks that wait leave their core to others, which may be those that they wait for.
  environment.emplace_back("OMPI_MCA_mpi_yield_when_idle", "1");
  // Nor do ranks need a look at every PCI device, a tenth of a start.
  for (auto& [name, value] : environment)
    if (name == "HWLOC_PLUGINS_BLACKLIST") value += ",hwloc_pci.so";
  return environment;
}

constexpr int time_limit_seconds = 1800;  // beyond any run on a machine that others keep busy too

}  // namespace

Outcome run_command(const Words& command) {
  const auto done = capture_process(
      {.command = command, .environment = environment_of_commands(), .time_limit_seconds = time_limit_seconds},
      signals());
  const ProcessResult& r = done.result;
  const bool ended = r.signal == 0 && !r.timed_out && r.stopped_by == 0 && r.start_error.empty();
  return {ended ? r.exit_status : -1, done.output, done.errors + r.start_error};
}

namespace {

/// A message that mpirun's libevent sometimes prints about a rank that has just ended: "[warn] Epoll MOD(1) on fd 24
/// failed. ...".
std::string without_warnings_of_libevent(const std::string& errors) {
  std::istringstream lines(errors);
  std::string rest;
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("[warn] Epoll ")) rest += line + '\n';
  return rest;
}

}  // namespace

Outcome run_model(const std::string& model, const Words& arguments, int ranks, const std::string& workload) {
  const Words command = Words{program_of(model, workload)} + arguments;
  if (ranks == 0) return run_command(command);
  // Open MPI has lines of its own to say of ranks that end with a status; -q keeps it quiet, and no other knows it.
  static const bool is_open_mpi = has(run_command({"mpirun", "--version"}).output, "Open MPI");
  // Reading the configuration of every PCI device takes a third of a start, because each word leaves the virtual
  // machine.
  Words launcher = {"env", "HWLOC_COMPONENTS=-linux:pci,-linux:io", "mpirun", "-np", std::to_string(ranks)};
  if (is_open_mpi) launcher.emplace_back("-q");
  Outcome outcome = run_command(launcher + command);
  if (has(outcome.errors, "[warn] Epoll ")) outcome.errors = without_warnings_of_libevent(outcome.errors);
  return outcome;
}

std::vector<BuiltProgram> built_programs(const std::string& workload) {
  // Programs of another build, such as the sanitized one, can be put to these tests too.
  const char* const other = std::getenv("BOLTZMARK_TEST_PROGRAMS");
  static const std::vector<BuiltProgram> all = read_programs(other ? other : BOLTZMARK_BIN_DIR);
  // Programs of other models may be there from an earlier build.
  static const Words left_out = words_in(BOLTZMARK_LEFT_OUT_MODELS);
  const auto is_tested = [](const BuiltProgram& program) {
    return program.skipped.empty() && std::ranges::find(left_out, program.model) == left_out.end();
  };
  std::vector<BuiltProgram> built;
  for (const auto& program : all)
    if (is_tested(program) && (workload.empty() || program.workload == workload)) built.push_back(program);
  return built;
}

bool is_built(const std::string& model, const std::string& workload) { return !program_of(model, workload).empty(); }

std::string program_of(const std::string& model, const std::string& workload) {
  for (const auto& program : built_programs(workload))
    if (program.model == model) return program.path.string();
  return "";
}

/// Sets of data from the largest to the smallest, in each of which something moves where a level of memory has it.
static void expect_traffic(const Record& record) {
  SCOPED_TRACE(fmt::format("{}-{}, variant {}", record.workload, record.model, record.variant));
  const Traffic& traffic = record.work.traffic;
  EXPECT_FALSE(traffic.empty());
  EXPECT_TRUE(std::ranges::is_sorted(traffic, std::greater(), &WorkingSet::bytes));
  for (const WorkingSet& set : traffic) {
    EXPECT_NE(set.of, "");
    EXPECT_GT(set.bytes, 0.0) << set.of;
    EXPECT_TRUE(set.on_chip || set.per_update > 0.0) << set.of;
  }
  for (const Part& part : record.parts) {
    EXPECT_GT(part.bytes_held, 0.0) << part.name;
    EXPECT_LE(part.bytes_held, record.work.bytes_held) << part.name;
  }
}

std::vector<Record> records_in(const fs::path& file) {
  std::ifstream in(file);
  std::vector<Record> records;
  for (std::string line; std::getline(in, line);) records.push_back(nlohmann::json::parse(line).get<Record>());
  std::ranges::for_each(records, expect_traffic);
  return records;
}

const std::string& cannot_run_here(const std::string& model) {
  static std::map<std::string, std::string> answers;  // to one run of each model
  const auto [answer, is_new] = answers.try_emplace(model);
  if (is_new) {
    const TemporaryFolder folder;
    const auto outcome = run_model(model, write_problem(folder, grid("one_step")) + Words{"--no-output"});
    if (outcome.status == 3) answer->second = outcome.errors;
  }
  return answer->second;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

int count_of(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != text.npos; at += part.size()) ++count;
  return count;
}

std::string error_of(const std::function<void()>& work) {
  try {
    work();
    return "";
  } catch (const Error& error) {
    if (error.status() != ExitStatus::bad_input) throw;
    return error.what();
  }
}

bool eventually(const std::function<bool()>& is_true) {
  for (int i = 0; i < 180000; ++i) {
    if (is_true()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

}  // namespace boltzmark::testing
