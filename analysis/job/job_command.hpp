// `boltzmark job`: prints the script by which a plan is run on the nodes of a cluster.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace boltzmark {

/// What the user asked for; unset means as the plan needs it.
struct JobOptions {
  std::string plan = "quick";  ///< name or file
  std::string scheduler;       ///< slurm or mpirun
  std::optional<int> nodes, ranks_per_node, cpus_per_rank, repeats;
  std::vector<std::string> models, cases, setup;
  std::filesystem::path results = "results";
  // For slurm alone.
  std::optional<int> gpus_per_rank;
  std::optional<std::string> time, partition, account, name, mpi, starter;
  std::vector<std::string> directives;
  // For mpirun alone.
  std::optional<std::string> hosts;
};

/// Prints the script, and one line to standard error for runs of the plan that do not fit. Returns the exit
/// status. Throws Error (bad_input).
int job_command(const JobOptions& options);

}  // namespace boltzmark
