#include "programs.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <list>
#include <optional>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <tuple>

#include "analysis/run/plan.hpp"
#include "analysis/support/process.hpp"
#include "common/base/error.hpp"
#include "common/base/text.hpp"

namespace boltzmark::testing {
namespace {

namespace fs = std::filesystem;

void optimise_kernels(bool are_wanted) {
  if (are_wanted)
    unsetenv("POCL_EXTRA_BUILD_FLAGS");
  else
    setenv("POCL_EXTRA_BUILD_FLAGS", "-cl-opt-disable", 1);
}

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
  optimise_kernels(false);
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

const std::vector<Grid>& grids() {
  static const auto none = [](int, int) { return false; };
  static const std::vector<Grid> list = {
      {"box", 32, 32, 60, [](int x, int y) { return x == 0 || y == 0 || x == 31 || y == 31; }},
      {"tall", 5, 203, 31, [](int x, int y) { return x == 2 && y % 7 == 0; }},
      {"wide", 203, 5, 31, [](int x, int y) { return y == 2 && x % 7 == 0; }},
      {"odd", 37, 29, 50, [](int x, int y) { return (x * 7 + y * 13) % 11 == 0; }},
      {"three_rows", 50, 3, 40, [](int x, int y) { return y == 0 && x < 5; }},
      {"one_column", 1, 9, 25, [](int, int y) { return y == 0; }},
      {"two_columns", 2, 4, 25, [](int x, int y) { return x == 1 && y == 0; }},
      {"every_edge", 19, 17, 40,
       [](int x, int y) {
         return ((x == 0 || x == 18) && y % 3 == 0) || ((y == 0 || y == 16) && x % 4 == 1) || (y == 15 && x == 9);
       }},
      {"wrap_x", 33, 24, 45, [](int, int y) { return y == 0 || y == 23; }},
      {"wrap_y", 24, 33, 45, [](int x, int) { return x == 0 || x == 23; }},
      {"wall_across", 40, 20, 45, [](int x, int) { return x == 13; }},
      {"wall_along", 40, 20, 45, [](int, int y) { return y == 9; }},
      {"at_rest", 16, 8, 20, [](int, int y) { return y == 6; }},  // the accelerated row is blocked
      {"empty", 37, 29, 60, none},  // as large as "odd": one build of OpenCL kernels serves both
      {"one_step", 21, 21, 1, [](int x, int y) { return x == y; }},
  };
  return list;
}

const Grid& grid(const std::string& name) {
  for (const Grid& g : grids())
    if (g.name == name) return g;
  throw std::logic_error("no such grid: " + name);
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

/// A program that runs the lines that it is sent (--runs -).
class RunningProgram {
 public:
  /// launcher: what starts its ranks, whose errors it may forward late.
  RunningProgram(const Words& launcher, const std::string& program) {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) throw std::runtime_error("no socket");
    ours_ = ends[0];
    const std::string errors = fmt::format("/proc/{}/fd/{}", getpid(), errors_.path().filename().string());
    const Words command = launcher + Words{"sh", "-c", "exec \"$0\" --runs - 2>>" + errors, program};
    pid_ = fork_worker(signals(), [&] {
      for (const auto& [name, value] : environment_of_commands()) setenv(name.c_str(), value.c_str(), 0);
      setenv("OMPI_MCA_orte_tmpdir_base", sessions_.path.c_str(), 1);
      for (const int end : {STDIN_FILENO, STDOUT_FILENO}) dup2(ends[1], end);
      become(find_program(command.front()), command);
      return 127;
    });
    close(ends[1]);
  }
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;
  /// Where nothing follows it says no more, as of memory that it has lost, and ends with the largest status.
  ~RunningProgram() {
    shutdown(ours_, SHUT_WR);
    if (!has_ended_) {
      const Outcome end = next_outcome();
      EXPECT_TRUE(has_ended_ && end.status == worst_ && end.errors.empty()) << end.status << end.output << end.errors;
    }
    end_group(pid_, signals(), 0.0);
    close(ours_);
  }

  /// None where it has ended before.
  std::optional<Outcome> run(const std::string& line) {
    if (has_ended_ || send(ours_, line.data(), line.size(), MSG_NOSIGNAL) < 0) return {};
    Outcome outcome = next_outcome();
    worst_ = std::max(worst_, outcome.status);
    return outcome;
  }

 private:
  /// Until the line that says the status of a run, the program's end or the time limit.
  Outcome next_outcome() {
    static const std::regex last_line("(^|\n)status:\t\t(\\d+)\n$");
    Outcome outcome = {-1, "", ""};
    std::smatch found;
    for (std::array<char, 65536> part{}; !std::regex_search(outcome.output, found, last_line);) {
      pollfd ready = {ours_, POLLIN, 0};
      const bool is_in_time = poll(&ready, 1, 1000 * time_limit_seconds) > 0;
      const ssize_t got = is_in_time ? read(ours_, part.data(), part.size()) : 0;
      if (got > 0) {
        outcome.output.append(part.data(), static_cast<std::size_t>(got));
        continue;
      }
      int status = 0;
      has_ended_ = true;
      if (is_in_time && waitpid(pid_, &status, 0) == pid_ && WIFEXITED(status)) outcome.status = WEXITSTATUS(status);
      break;
    }
    if (!has_ended_) {
      outcome.status = std::stoi(found[2]);
      outcome.output.resize(static_cast<std::size_t>(found.position(0) + found.length(1)));
    }
    const std::string all = errors_.text();
    outcome.errors = all.substr(std::exchange(errors_read_, all.size()));
    return outcome;
  }

  TemporaryFolder sessions_;  ///< Open MPI's: one starts while another one ends
  TemporaryFile errors_;
  std::size_t errors_read_ = 0;
  int ours_ = -1, worst_ = 0;
  bool has_ended_ = false;
  pid_t pid_ = -1;
};

/// By launcher, program and environment; the one used last in front. Few, for they hold memory.
std::list<std::pair<std::string, RunningProgram>> running;

/// Ends them before the test program does.
class Ends : public ::testing::Environment {
  void TearDown() override { running.clear(); }
};
const auto* const ends = ::testing::AddGlobalTestEnvironment(new Ends);

bool in_one_process = false;

/// A line of a program in the environment of now, which is started where it does not run yet.
Outcome run_line(const Words& launcher, const std::string& program, const Words& arguments) {
  std::string key = join(launcher, " ") + program;
  for (char** entry = environ; *entry; ++entry) key += std::string("\n") + *entry;
  for (;;) {
    const auto at = std::find_if(running.begin(), running.end(), [&](const auto& one) { return one.first == key; });
    if (at != running.end())
      running.splice(running.begin(), running, at);
    else
      running.emplace_front(std::piecewise_construct, std::tuple(key), std::tuple(launcher, program));
    if (running.size() > 4) running.pop_back();
    if (auto outcome = running.front().second.run(shell_line(arguments) + '\n')) return *outcome;
    running.pop_front();
  }
}

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

/// What mpirun's libevent says at times of a rank that has just ended: "[warn] Epoll MOD(1) on fd 24 failed. ...".
std::string without_warnings_of_libevent(const std::string& errors) {
  std::istringstream lines(errors);
  std::string rest;
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("[warn] Epoll ")) rest += line + '\n';
  return rest;
}

}  // namespace

Outcome run_model(const std::string& model, const Words& arguments, int ranks, const std::string& workload,
                  const Words& before) {
  const auto run = [&](const Words& launcher) {
    const std::string program = program_of(model, workload);
    const bool is_free = model != "kokkos";  // whose threads are those of a process's first run
    return in_one_process && is_free ? run_line(launcher + before, program, arguments)
                                     : run_command(launcher + before + Words{program} + arguments);
  };
  if (ranks == 0) return run({});
  // Open MPI has lines of its own to say of ranks that end with a status; -q keeps it quiet, and no other knows it.
  static const bool is_open_mpi = has(run_command({"mpirun", "--version"}).output, "Open MPI");
  // Reading what every PCI device is configured for is a third of a start: each word of it leaves a virtual machine.
  Words launcher = {"env", "HWLOC_COMPONENTS=-linux:pci,-linux:io", "mpirun", "-np", std::to_string(ranks)};
  if (is_open_mpi) launcher.emplace_back("-q");
  Outcome outcome = run(launcher);
  if (has(outcome.errors, "[warn] Epoll ")) outcome.errors = without_warnings_of_libevent(outcome.errors);
  return outcome;
}

OneProcess::OneProcess() { in_one_process = !std::getenv("BOLTZMARK_TEST_ALONE"); }

OneProcess::~OneProcess() { in_one_process = false; }

OptimisedKernels::OptimisedKernels(bool are_wanted) : were_(!std::getenv("POCL_EXTRA_BUILD_FLAGS")) {
  optimise_kernels(are_wanted);
}

OptimisedKernels::~OptimisedKernels() { optimise_kernels(were_); }

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

void expect_all_data_moves(const Record& record) {
  double all = 0.0;
  for (const WorkingSet& set : record.work.traffic) all += set.per_update;
  EXPECT_GE(all * record.work.updates, record.work.bytes_held * (1.0 - 1e-12))
      << record.workload << ' ' << record.variant;
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
