#include "analysis/run/launcher.hpp"

#include <fmt/format.h>

#include <sstream>

#include "common/error.hpp"

namespace boltzmark {
namespace {

constexpr const char* ranks_mark = "{ranks}";

}  // namespace

void check_launcher(const Launcher& launcher, const std::string& where) {
  const auto words = split_words(launcher.command);
  if (words.empty() || words.front() == ranks_mark || launcher.command.find(ranks_mark) == std::string::npos)
    throw bad_input("{}: expected a launcher command with {} in it, such as \"srun -n {}\", found \"{}\"",
                    where, ranks_mark, ranks_mark, launcher.command);
}

std::vector<std::string> launcher_words(const Launcher& launcher, int ranks) {
  auto words = split_words(launcher.command);
  const std::string number = std::to_string(ranks), mark = ranks_mark;
  for (auto& word : words)
    if (const auto at = word.find(mark); at != word.npos) word.replace(at, mark.size(), number);
  for (auto& word : split_words(launcher.arguments)) words.push_back(std::move(word));
  return words;
}

std::string launcher_missing(const Launcher& launcher) {
  const std::string program = split_words(launcher.command).front();
  if (!find_program(program).empty()) return {};
  return fmt::format("no launcher {} found; install openmpi-bin or name one with --launcher", program);
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
  };
  if (threads > 1) {  // again Open MPI 4, then 5
    environment.emplace_back("OMPI_MCA_hwloc_base_binding_policy", "none");
    environment.emplace_back("PRTE_MCA_hwloc_default_binding_policy", "none");
  }
  return environment;
}

std::vector<std::string> split_words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::string join_words(const std::vector<std::string>& words, const std::string& between) {
  std::string line;
  for (const auto& word : words) line += (line.empty() ? "" : between) + word;
  return line;
}

}  // namespace boltzmark
