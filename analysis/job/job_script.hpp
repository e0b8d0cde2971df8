// The scripts by which a plan is run on the nodes of a cluster.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/run/launcher.hpp"

namespace boltzmark {

/// What a job script is made from. Texts that become part of a line hold no line ends.
struct JobScript {
  std::vector<std::string> comments;  ///< what it does, a line each
  std::string folder;                 ///< it works in, absolute
  std::vector<std::string> setup;     ///< lines before the run, such as "module load openmpi"
  std::vector<std::string> command;   ///< program and arguments, without launcher and allocation
  Allocation allocation;
};

/// What only Slurm is told.
struct SlurmJob {
  std::string name, time, partition, account;  ///< "" = not said
  int gpus_per_node = 0;                       ///< 0 = none are asked for
  std::vector<std::string> directives;         ///< more lines, "--exclusive"
  std::string mpi;                             ///< of srun --mpi, "" = the site's default
  bool with_mpirun = false;                    ///< ranks are started by mpirun instead of srun
};

/// A script for sbatch. Every run of the plan is a job step on as few nodes as it needs; each rank is bound
/// to cores of its own.
std::string slurm_script(const JobScript& job, const SlurmJob& slurm);

/// A script to be started by hand on one of the nodes. `hosts`: a file with a line for each of them; "" =
/// this machine alone.
std::string mpirun_script(const JobScript& job, const std::string& hosts);

}  // namespace boltzmark
