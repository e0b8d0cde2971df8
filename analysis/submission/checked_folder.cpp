#include "analysis/submission/checked_folder.hpp"

#include "analysis/run/programs.hpp"
#include "analysis/run/submission_folder.hpp"
#include "analysis/submission/checks.hpp"
#include "analysis/submission/references.hpp"
#include "analysis/support/json.hpp"
#include "analysis/support/locations.hpp"
#include "common/base/error.hpp"
#include "common/lbm/output.hpp"
#include "common/run/provenance.hpp"

namespace boltzmark {
namespace {

using nlohmann::json;

/// Throws Error (bad_input) if no program could end within the time limit: the reference would then take hours.
std::shared_ptr<const Case> within_limit(std::shared_ptr<const Case> one, double seconds) {
  constexpr double updates_per_second = 5e8;
  const double most = updates_per_second * seconds;
  if (answer_updates(*one) <= most) return one;
  throw bad_input("expected a problem of at most {:.3g} cell updates for a time limit of {} s, found {:.3g}", most,
                  seconds, answer_updates(*one));
}

/// A folder with neither a Makefile nor results: it has sources, or contains the folders that were meant.
void find_why_not(bool no_run, CheckedFolder& one) {
  if (!no_run) one.reason = one_line(makefile_missing(one.folder));
  if (!one.reason.empty()) {
    one.fault = nothing_to_build;
    return;
  }
  one.fault = verdict::missing;
  one.reason = fmt::format("expected {}{} and {}, found none of them", no_run ? "" : "a Makefile, or ", lbm::state_file,
                           lbm::averages_file);
  std::error_code error;
  const auto folders = std::count_if(fs::directory_iterator(one.folder, error), fs::directory_iterator(),
                                     [](const auto& entry) { return entry.is_directory() && !entry.is_symlink(); });
  if (folders > 0) one.reason += fmt::format("; it holds {}: did you mean {}/*?", counted(folders, "folder"), one.name);
}

/// Sources, which are built and run, or the result files of an earlier run.
void find_kind(const CheckOptions& options, CheckedFolder& one) {
  const bool has_makefile =
      is_file(one.folder / "Makefile") || is_file(one.folder / "makefile") || is_file(one.folder / "GNUmakefile");
  const bool is_told = !options.build.empty() || !options.run.empty();
  one.is_sources = !options.no_run && (is_told || has_makefile);
  if (one.is_sources) {
    one.build = !options.build.empty() ? options.build : has_makefile ? usual_submission_build : "";
  } else if (!is_file(one.folder / lbm::state_file) && !is_file(one.folder / lbm::averages_file)) {
    find_why_not(options.no_run, one);
  }
}

/// All on which its verdict depends, as it is read back, whatever bytes are in its names.
json key_of(const CheckedFolder& one, const std::string& contents, const std::shared_ptr<const Case>& of,
            const CheckOptions& options) {
  const json key = {{"folder", one.folder.string()},
                    {"contents", contents},
                    {"sources", one.is_sources},
                    {"case", of ? of->digest : ""},
                    {"steps", of ? of->steps : 0},
                    {"build", one.build},
                    {"run", one.is_sources ? run_line(options) : ""},
                    {"threads", options.threads.value_or(0)},
                    {"tolerance", options.tolerance},
                    {"time_limit", options.time_limit_seconds},
                    {"memory_limit", options.memory_limit_megabytes},
                    {"oracle", oracle_version()},
                    {"host", provenance_now().host},
                    {"fault", one.reason}};
  return parse_json(json_line(key));
}

}  // namespace

std::string run_line(const CheckOptions& options) {
  return options.run.empty() ? usual_submission_command : options.run;
}

CheckedFolder checked_folder(const std::string& name, const CheckOptions& options,
                             const std::shared_ptr<const Case>& of_all) {
  CheckedFolder one;
  one.name = name.size() > 1 && name.ends_with('/') ? name.substr(0, name.size() - 1) : name;
  one.folder = fs::absolute(one.name).lexically_normal();
  std::string contents;
  try {
    if (!is_folder(one.folder))
      throw bad_input("expected a folder, found {}", is_there(one.folder) ? "a file" : "none");
    contents = digest_of_folder(one.folder);
    find_kind(options, one);
    if (one.fault.empty())
      one.of = of_all ? of_all
                      : within_limit(loaded(problem_in(one.folder), options.problem.steps), options.time_limit_seconds);
  } catch (const Error& fault) {
    one.fault = contents.empty() ? verdict::missing : no_problem;
    one.reason = fault.what();
  }
  one.key = key_of(one, contents, one.of ? one.of : of_all, options);
  return one;
}

void expect_problem(const std::vector<CheckedFolder>& all) {
  const auto lacks = [](const CheckedFolder& one) {
    return one.fault == no_problem && names_between(one.folder, "", ".params").empty();
  };
  if (std::ranges::none_of(all, [](const CheckedFolder& one) { return one.of != nullptr; }) &&
      std::ranges::any_of(all, lacks))
    throw bad_input(
        "expected --case, such as --case 128x128, or a parameter file (*.params) in each folder; found none");
}

}  // namespace boltzmark
