#include "analysis/job/job_script.hpp"

#include <fmt/core.h>

#include "analysis/support/process.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

/// Ranks on as few nodes as they need, node after node, each bound to its cores.
std::string mpirun(const std::string& hosts) {
  return fmt::format("mpirun -np {{ranks}}{} --map-by ppr:{{ranks_per_node}}:node:PE={{cpus}} --bind-to core",
                     hosts.empty() ? "" : " --hostfile " + hosts);
}

std::string srun(const std::string& mpi) {
  return "srun --nodes={nodes} --ntasks={ranks} --ntasks-per-node={ranks_per_node} --cpus-per-task={cpus} "
         "--cpu-bind=cores --distribution=block:block --kill-on-bad-exit=1" +
         (mpi.empty() ? "" : " --mpi=" + mpi);
}

std::string head(const JobScript& job, const std::string& directives) {
  std::string text = "#!/bin/bash\n" + directives;
  for (const auto& line : job.comments) text += "# " + line + '\n';
  text += fmt::format("\ncd {} || exit\n", shell_line({job.folder}));
  for (const auto& line : job.setup) text += line + '\n';
  return text;
}

/// The run itself, a line for each group of its words.
std::string run_lines(const JobScript& job, const std::string& launcher) {
  const Allocation& room = job.allocation;
  return fmt::format("exec {} \\\n  --nodes {} --ranks-per-node {} --cpus-per-rank {} \\\n  --launcher {}\n",
                     shell_line(job.command), room.nodes, room.ranks_per_node, room.cpus_per_rank,
                     shell_line({launcher}));
}

}  // namespace

std::string slurm_script(const JobScript& job, const SlurmJob& slurm) {
  std::string directives;
  const auto say = [&directives](const std::string& option) { directives += "#SBATCH " + option + '\n'; };
  say("--job-name=" + slurm.name);
  say(fmt::format("--nodes={}", job.allocation.nodes));
  say(fmt::format("--ntasks-per-node={}", job.allocation.ranks_per_node));
  say(fmt::format("--cpus-per-task={}", job.allocation.cpus_per_rank));
  if (slurm.gpus_per_node > 0) say(fmt::format("--gpus-per-node={}", slurm.gpus_per_node));
  say("--time=" + slurm.time);
  if (!slurm.partition.empty()) say("--partition=" + slurm.partition);
  if (!slurm.account.empty()) say("--account=" + slurm.account);
  say("--output=" + slurm.name + "-%j.log");
  for (const auto& directive : slurm.directives) say(directive);
  // Open MPI asks Slurm for the nodes by itself.
  const std::string launcher = slurm.with_mpirun ? mpirun("") : srun(slurm.mpi);
  return head(job, directives) + run_lines(job, launcher);
}

std::string mpirun_script(const JobScript& job, const std::string& hosts) {
  std::string text = head(job, "");
  if (!hosts.empty()) {
    const std::string file = shell_line({hosts});
    text += fmt::format(
        "awk 'NF && $1 !~ /^#/ {{n++}} END {{exit n < {}}}' {} || {{ echo {}; exit 2; }} >&2\n",
        job.allocation.nodes, file,
        shell_line(
            {fmt::format("{}: expected {}, one per line", hosts, counted(job.allocation.nodes, "node"))}));
  }
  return text + run_lines(job, mpirun(hosts));
}

}  // namespace boltzmark
