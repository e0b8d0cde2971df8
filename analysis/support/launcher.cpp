#include "analysis/support/launcher.hpp"

#include "analysis/support/commands.hpp"
#include "analysis/support/locations.hpp"
#include "common/base/error.hpp"
#include "common/cpu/processors.hpp"

namespace boltzmark {
namespace {

Marks marks_of(const Launcher& launcher, int ranks, int threads) {
  Placement at = {.nodes = 1, .ranks_per_node = ranks, .cpus = std::max(1, threads)};
  if (launcher.allocation) at = place(*launcher.allocation, ranks, threads).value_or(at);
  return {{"{nodes}", std::to_string(at.nodes)},
          {"{ranks_per_node}", std::to_string(at.ranks_per_node)},
          {"{cpus}", std::to_string(at.cpus)}};
}

/// An adapter of a fast network: InfiniBand, Omni-Path, EFA and usNIC are the first, Slingshot the second.
bool has_fabric() { return is_there("/sys/class/infiniband") || is_there("/sys/class/cxi"); }

}  // namespace

std::optional<Placement> place(const Allocation& allocation, int ranks, int threads) {
  const int cpus = std::max(allocation.cpus_per_rank, threads);
  const int fit = std::min(allocation.ranks_per_node, allocation.cpus_per_node() / cpus);
  if (fit == 0 || ranks > static_cast<std::int64_t>(fit) * allocation.nodes) return std::nullopt;
  return Placement{.nodes = (ranks + fit - 1) / fit, .ranks_per_node = std::min(fit, ranks), .cpus = cpus};
}

void check_launcher(const Launcher& launcher, const std::string& where) {
  const auto words = words_in(launcher.command);
  if (words.empty() || words.front() == ranks_mark || launcher.command.find(ranks_mark) == std::string::npos)
    throw bad_input("{}: expected a launcher command with {} in it, such as \"srun -n {}\", found \"{}\"", where,
                    ranks_mark, ranks_mark, launcher.command);
  check_marks(launcher.command + ' ' + launcher.arguments, {ranks_mark, "{nodes}", "{ranks_per_node}", "{cpus}"},
              where);
}

Launcher with_options(Launcher usual, const LauncherOptions& options) {
  if (!options.launcher.empty()) usual = {.command = options.launcher};
  if (!options.launcher_arguments.empty()) usual.arguments = options.launcher_arguments;
  check_launcher(usual, "--launcher");
  return usual;
}

std::string launcher_line(const Launcher& launcher, int ranks, int threads) {
  return join(words_in(replaced(launcher.command + ' ' + launcher.arguments, marks_of(launcher, ranks, threads))), " ");
}

std::vector<std::string> launcher_words(const Launcher& launcher, int ranks, int threads) {
  return words_in(replaced(launcher_line(launcher, ranks, threads), {{ranks_mark, std::to_string(ranks)}}));
}

std::string launcher_missing(const Launcher& launcher) {
  const std::string program = words_in(launcher.command).front();
  if (!find_program(program).empty()) return {};
  return fmt::format("no launcher {} found; {}name another with --launcher", program,
                     program == "mpirun" ? "install openmpi-bin or " : "");
}

Environment launcher_environment(int threads, int ranks) {
  Environment environment = {
      {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
      {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
      // More ranks than cores: Open MPI 4, then 5.
      {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
      {"PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"},
      // Containers forbid reading another process's memory; Open MPI then warns and copies through shared memory.
      {"OMPI_MCA_btl_vader_single_copy_mechanism", "none"},
      // When it looks for GPUs, Open MPI starts their OpenCL drivers in every launch.
      {"HWLOC_PLUGINS_BLACKLIST", "hwloc_opencl.so,hwloc_gl.so"},
      // A single rank, such as one for --describe, needs no daemon.
      {"OMPI_MCA_ess_singleton_isolated", "1"},
      // The loss of a host is noticed after 10 s rather than 8 minutes.
      {"OMPI_MCA_oob_tcp_keepalive_time", "5"},
      {"OMPI_MCA_oob_tcp_keepalive_intvl", "1"},
      {"OMPI_MCA_oob_tcp_keepalive_probes", "5"},
  };
  // These take two thirds of a launch to find that they have nothing to do.
  if (!has_fabric()) environment.emplace_back("OMPI_MCA_mtl", "^psm,psm2,ofi");
  if (threads > 1 || (ranks > 0 && ranks <= usable_physical_cores()))
    for (const char* const name : {"OMPI_MCA_hwloc_base_binding_policy", "PRTE_MCA_hwloc_default_binding_policy"})
      environment.emplace_back(name, threads > 1 ? "none" : "core:if-supported");  // again Open MPI 4, then 5
  return environment;
}

CapturedProcess ask_program(std::vector<std::string> command, const std::string& name, SignalWatch& signals,
                            std::string& why) {
  constexpr double most_seconds = 60.0;  // the first look at a GPU can take long
  CapturedProcess answer = capture_process(
      {.command = std::move(command), .environment = launcher_environment(), .time_limit_seconds = most_seconds},
      signals);
  why = failure_of(answer.result, answer.errors, name, most_seconds);
  return answer;
}

}  // namespace boltzmark
