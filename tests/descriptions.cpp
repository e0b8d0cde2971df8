#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "analysis/support/signals.hpp"
#include "common/base/digest.hpp"
#include "programs.hpp"

namespace boltzmark::testing {
namespace {

namespace fs = std::filesystem;

/// Another one for every build of a program.
std::string mark_of(const fs::path& program) {
  return fmt::format("{} {} {}\n", program.string(), fs::file_size(program),
                     fs::last_write_time(program).time_since_epoch().count());
}

}  // namespace

ProgramDescription description_of(const BuiltProgram& program) {
  // Who asks is in the name too: what it makes of the answer changes with it.
  const std::string marks = mark_of(program.path) + mark_of(fs::read_symlink("/proc/self/exe"));
  const fs::path kept = fs::path(BOLTZMARK_TEST_CACHE) / ("description-" + digest_of(marks) + ".json");
  if (fs::exists(kept)) return nlohmann::json::parse(read_text(kept)).get<ProgramDescription>();
  SignalWatch signals;
  const ProgramDescription asked = ask(program, {}, signals);
  fs::create_directories(kept.parent_path());
  const fs::path whole = kept.string() + fmt::format(".{}", getpid());
  write_text(whole, nlohmann::json(asked).dump());
  fs::rename(whole, kept);
  return asked;
}

}  // namespace boltzmark::testing
