// How ranks are launched: with mpirun, srun or a site's own launcher, on one node or on the nodes of a job.
#pragma once

#include <optional>

#include "analysis/support/process.hpp"

namespace boltzmark {

/// Placeholder for the number of ranks in a command.
inline constexpr const char* ranks_mark = "{ranks}";

/// Resources of a job.
struct Allocation {
  int nodes = 1, ranks_per_node = 1, cpus_per_rank = 1;

  int cpus_per_node() const { return ranks_per_node * cpus_per_rank; }
};

/// Placement of a run: on as few nodes as it needs.
struct Placement {
  int nodes = 1, ranks_per_node = 1;
  int cpus = 1;  ///< of each rank
};

/// Placement of ranks with this many threads, each with the allocation's cores per rank, or with one core per thread if
/// it has more threads. No value if they do not fit.
std::optional<Placement> place(const Allocation& allocation, int ranks, int threads);

struct Launcher {
  /// Words with {ranks}, and {nodes}, {ranks_per_node} and {cpus} of their Placement.
  std::string command = "mpirun -np {ranks}";
  std::string arguments = {};                 ///< more words, put before the program
  std::optional<Allocation> allocation = {};  ///< unset: one node for any number of ranks
};

/// Throws Error (bad_input) if the command has no place for the number of ranks, or check_marks() does.
void check_launcher(const Launcher& launcher, const std::string& where);

struct LauncherOptions;
/// With the options that are given. Throws as check_launcher().
Launcher with_options(Launcher usual, const LauncherOptions& options);

/// The words before the program, for ranks that fit. `threads` per rank; 0: the model's choice.
std::vector<std::string> launcher_words(const Launcher& launcher, int ranks, int threads);

/// The same on one line, with {ranks} kept: equal for any number of ranks.
std::string launcher_line(const Launcher& launcher, int ranks, int threads);

/// Why nothing can be launched here and what to install, "" if the launcher's program is found.
std::string launcher_missing(const Launcher& launcher);

/// Variables that let Open MPI start as root, as in a container, and start more ranks than there are cores. With
/// several threads ranks are not bound to one core; with one thread and cores enough they are (of more than two ranks
/// it would bind each to a socket). Other launchers do not look at them.
Environment launcher_environment(int threads = 1, int ranks = 0);

/// The output of a program of the suite that only describes something; `why` it failed, "" if it did not.
CapturedProcess ask_program(std::vector<std::string> command, const std::string& name, SignalWatch& signals,
                            std::string& why);

}  // namespace boltzmark
