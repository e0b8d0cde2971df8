#include "analysis/run/launcher.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <utility>

#include "common/base/error.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

namespace fs = std::filesystem;

/// Where each of these stands in the text, its number.
using Marks = std::vector<std::pair<std::string, int>>;

Marks marks_of(const Launcher& launcher, int ranks, int threads) {
  Placement at = {.nodes = 1, .ranks_per_node = ranks, .cpus = std::max(1, threads)};
  if (launcher.allocation) at = place(*launcher.allocation, ranks, threads).value_or(at);
  return {{"{nodes}", at.nodes}, {"{ranks_per_node}", at.ranks_per_node}, {"{cpus}", at.cpus}};
}

/// Whether this node has an adapter of a fast network: InfiniBand, Omni-Path, EFA and usNIC are the first, Slingshot
/// the second.
bool has_fabric() {
  std::error_code error;
  for (const char* of_kernel : {"/sys/class/infiniband", "/sys/class/cxi"})
    if (fs::exists(of_kernel, error)) return true;
  return false;
}

std::string replaced(std::string text, const Marks& marks) {
  for (const auto& [mark, number] : marks)
    for (std::size_t at = 0; (at = text.find(mark, at)) != text.npos;)
      text.replace(at, mark.size(), std::to_string(number));
  return text;
}

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
    throw bad_input("{}: expected a launcher command with {} in it, such as \"srun -n {}\", found \"{}\"",
                    where, ranks_mark, ranks_mark, launcher.command);
  const std::string text = launcher.command + ' ' + launcher.arguments;
  for (std::size_t at = 0; (at = text.find('{', at)) != text.npos; ++at) {
    const std::string mark = text.substr(at, text.find('}', at) - at + 1);
    if (mark == ranks_mark || replaced(mark, marks_of(launcher, 1, 1)) != mark) continue;
    throw bad_input("{}: expected {}, {{nodes}}, {{ranks_per_node}} or {{cpus}} in braces, found \"{}\"",
                    where, ranks_mark, mark);
  }
}

std::string launcher_line(const Launcher& launcher, int ranks, int threads) {
  return join(
      words_in(replaced(launcher.command + ' ' + launcher.arguments, marks_of(launcher, ranks, threads))),
      " ");
}

std::vector<std::string> launcher_words(const Launcher& launcher, int ranks, int threads) {
  return words_in(replaced(launcher_line(launcher, ranks, threads), {{ranks_mark, ranks}}));
}

std::string launcher_missing(const Launcher& launcher) {
  const std::string program = words_in(launcher.command).front();
  if (!find_program(program).empty()) return {};
  return fmt::format("no launcher {} found; {}name one with --launcher", program,
                     program == "mpirun" ? "install openmpi-bin or " : "");
}

Environment launcher_environment(int threads) {
  Environment environment = {
      {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
      {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
      // More ranks than cores: Open MPI 4, then 5.
      {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
      {"PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"},
      // Containers forbid reading another process's memory; Open MPI then warns and copies through shared
      // memory.
      {"OMPI_MCA_btl_vader_single_copy_mechanism", "none"},
      // Looking for GPUs, Open MPI would start their OpenCL drivers, in every launch.
      {"HWLOC_PLUGINS_BLACKLIST", "hwloc_opencl.so,hwloc_gl.so"},
      // A rank by itself, as one that is asked what it can do, needs no daemon.
      {"OMPI_MCA_ess_singleton_isolated", "1"},
  };
  // These take two thirds of a launch to find that there is nothing for them.
  if (!has_fabric()) environment.emplace_back("OMPI_MCA_mtl", "^psm,psm2,ofi");
  if (threads > 1) {  // again Open MPI 4, then 5
    environment.emplace_back("OMPI_MCA_hwloc_base_binding_policy", "none");
    environment.emplace_back("PRTE_MCA_hwloc_default_binding_policy", "none");
  }
  return environment;
}

}  // namespace boltzmark
