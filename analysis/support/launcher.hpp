// How ranks are launched: mpirun, srun or what a site has, on one node or on those of a job.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/support/process.hpp"

namespace boltzmark {

/// In a command, where the number of ranks goes.
inline constexpr const char* ranks_mark = "{ranks}";

/// What a job may use: so many nodes, on each room for so many ranks with so many cores.
struct Allocation {
  int nodes = 1, ranks_per_node = 1, cpus_per_rank = 1;

  int cpus_per_node() const { return ranks_per_node * cpus_per_rank; }
};

/// Where a run is placed: on as few nodes as it needs.
struct Placement {
  int nodes = 1, ranks_per_node = 1;
  int cpus = 1;  ///< of each rank
};

/// Where ranks of so many threads go, each with the cores that the allocation has for a rank, or one for each
/// of its threads where it has more. Without a value they do not fit.
std::optional<Placement> place(const Allocation& allocation, int ranks, int threads);

struct Launcher {
  /// Words apart by blanks, in which {ranks} is replaced by the number of ranks, {nodes}, {ranks_per_node} and
  /// {cpus} for their Placement.
  std::string command = "mpirun -np {ranks}";
  std::string arguments = {};                 ///< more words, put before the program
  std::optional<Allocation> allocation = {};  ///< unset: one node that takes any number of ranks
};

/// Throws Error (bad_input) when the command does not say where the number of ranks goes, or has braces with
/// another word. `where` names the option or plan key.
void check_launcher(const Launcher& launcher, const std::string& where);

/// The words that go before the program, for ranks that fit. `threads` of each rank; 0: the model's choice.
std::vector<std::string> launcher_words(const Launcher& launcher, int ranks, int threads);

/// The same on one line with {ranks} left as it is: what runs of any number of ranks have in common.
std::string launcher_line(const Launcher& launcher, int ranks, int threads);

/// Why nothing can be launched here and what to install, "" when the launcher's program is found.
std::string launcher_missing(const Launcher& launcher);

/// Variables that let Open MPI start as root, as in a container, and start more ranks than there are cores; with
/// several threads a rank also keep it from binding each rank to one core. Other launchers do not look at them.
Environment launcher_environment(int threads = 1);

}  // namespace boltzmark
