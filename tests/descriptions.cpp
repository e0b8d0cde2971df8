#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "analysis/support/process.hpp"
#include "common/base/digest.hpp"
#include "programs.hpp"

namespace boltzmark::testing {
namespace {

namespace fs = std::filesystem;

/// Another one for every machine and environment, by which devices come and go. Not for every process: Open MPI's
/// folder, GoogleTest's share of the tests, and what shells and ctest count.
std::string mark_of_surroundings() {
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  std::string marks = std::string(host) + '\n';
  for (char** entry = environ; *entry; ++entry) {
    const std::string variable = *entry;
    const auto starts_it = [&](const char* start) { return variable.starts_with(start); };
    const auto of_a_process = {
        "OMPI_MCA_orte_tmpdir_base=", "GTEST_", "CTEST_", "DASHBOARD_", "PWD=", "OLDPWD=", "SHLVL=", "_="};
    if (std::none_of(of_a_process.begin(), of_a_process.end(), starts_it)) marks += variable + '\n';
  }
  return marks;
}

/// Another one for every build of a program.
std::string mark_of(const fs::path& program) {
  return fmt::format("{} {} {}\n", program.string(), fs::file_size(program),
                     fs::last_write_time(program).time_since_epoch().count());
}

}  // namespace

ProgramDescription description_of(const BuiltProgram& program) {
  // Who asks is in the name too: what it makes of the answer changes with it.
  const std::string marks =
      mark_of(program.path) + mark_of(fs::read_symlink("/proc/self/exe")) + mark_of_surroundings();
  static std::map<std::string, ProgramDescription> answers;  // of this process
  if (const auto answer = answers.find(marks); answer != answers.end()) return answer->second;
  const fs::path kept = fs::path(BOLTZMARK_TEST_CACHE) / ("description-" + digest_of(marks) + ".json");
  if (fs::exists(kept)) return answers[marks] = nlohmann::json::parse(read_text(kept)).get<ProgramDescription>();
  SignalWatch signals;
  const ProgramDescription asked = ask(program, {}, signals);
  // Where the build folder cannot be written it is asked again each time.
  std::error_code failed;
  fs::create_directories(kept.parent_path(), failed);
  const fs::path whole = kept.string() + fmt::format(".{}", getpid());
  write_text(whole, nlohmann::json(asked).dump());
  fs::rename(whole, kept, failed);
  return asked;
}

ProgramDescription description_of(const std::string& model, const std::string& workload) {
  for (const auto& program : built_programs(workload))
    if (program.model == model) return description_of(program);
  return {};
}

std::string thread_number(const ProgramDescription& can, int threads) {
  const bool on_gpu =
      std::any_of(can.devices.begin(), can.devices.end(), [](const Device& device) { return device.type == "gpu"; });
  return std::to_string(on_gpu ? 32 * threads : threads);
}

}  // namespace boltzmark::testing
