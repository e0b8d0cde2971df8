// Runs the built programs as a user does, on small problems in a temporary folder.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "analysis/run/plan.hpp"
#include "analysis/run/programs.hpp"
#include "common/run/record.hpp"

namespace boltzmark::testing {

/// Of a command line.
using Words = std::vector<std::string>;

/// A folder that goes when the object does.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return path / name; }

  std::filesystem::path path;
};

std::string read_text(const std::filesystem::path& file);
void write_text(const std::filesystem::path& file, const std::string& text);

/// A small problem: its grid, time steps and obstacles.
struct Grid {
  std::string name;
  int nx, ny, steps;
  std::function<bool(int x, int y)> blocked;
  double accel = 0.005, omega = 1.85;
};

/// One of these names: box, odd, three_rows, every_edge, one_step.
const Grid& grid(const std::string& name);

/// Writes FOLDER/input_NAME.params and FOLDER/obstacles_NAME.dat; returns the two words of the command line,
/// the second being "none" for a grid without obstacles.
Words write_problem(const TemporaryFolder& folder, const Grid& grid);

/// How a program ended and what it printed.
struct Outcome {
  int status = 0;  ///< exit status; -1 when it did not end by itself
  std::string output, errors;
};

/// Runs a command with the environment MPI needs to start as root and with more ranks than cores. The user's settings
/// for other runs (threads, topologies, folders, the terminal's width) are removed.
Outcome run_command(const Words& command);

/// Runs a program of the build, that of a model at lattice Boltzmann unless another workload is named, with
/// these arguments; `ranks` starts it through mpirun.
Outcome run_model(const std::string& model, const Words& arguments, int ranks = 0,
                  const std::string& workload = usual_workload);

/// Programs that were built, of all workloads or one.
std::vector<BuiltProgram> built_programs(const std::string& workload = "");
bool is_built(const std::string& model, const std::string& workload = usual_workload);
std::string program_of(const std::string& model, const std::string& workload = usual_workload);

/// The records that programs wrote into a file, one a line. Each must say what its run moves at least.
std::vector<Record> records_in(const std::filesystem::path& file);

/// Why a model that was built cannot run on this machine (no device), "" when it can; tried once in a process.
const std::string& cannot_run_here(const std::string& model);

bool has(const std::string& text, const std::string& part);
int count_of(const std::string& text, const std::string& part);

/// The line of the Error that `work` throws (which must be of bad input), "" when it throws none.
std::string error_of(const std::function<void()>& work);

/// Waits for something to come true, at most half an hour.
bool eventually(const std::function<bool()>& is_true);

/// Concatenation, for command lines.
template <class T>
std::vector<T> operator+(std::vector<T> a, const std::vector<T>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace boltzmark::testing
