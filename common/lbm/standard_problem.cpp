#include "common/lbm/standard_problem.hpp"

#include "common/base/error.hpp"
#include "common/base/files.hpp"
#include "common/base/text.hpp"
#include "common/lbm/problem.hpp"

namespace boltzmark::lbm {

namespace fs = std::filesystem;

ProblemFiles standard_problem(const std::string& name) {
  const fs::path inputs = from_here((program_folder() / BOLTZMARK_INPUTS).lexically_normal());
  ProblemFiles files = {inputs / ("input_" + name + ".params"), inputs / ("obstacles_" + name + ".dat")};
  std::error_code error;
  if (name.empty() || !fs::is_regular_file(files.params, error))
    throw bad_input("expected PARAMS and OBSTACLES, or one of {}, found \"{}\"",
                    join(names_between(inputs, "input_", ".params"), ", "), name);
  if (!fs::is_regular_file(files.obstacles, error)) files.obstacles = no_obstacles;
  return files;
}

}  // namespace boltzmark::lbm
