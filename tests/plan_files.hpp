// Plan files in a temporary folder, with a problem beside them.
#pragma once

#include <gtest/gtest.h>

#include "analysis/run/cases.hpp"
#include "analysis/run/plan.hpp"
#include "programs.hpp"

namespace boltzmark::testing {

class PlanTest : public ::testing::Test {
 protected:
  PlanTest() { write_problem(folder_, grid("box")); }

  std::filesystem::path write(const std::string& content) {
    write_text(folder_ / "plan.json", content);
    return folder_ / "plan.json";
  }
  /// The error in this plan, without the folder's name.
  std::string fault(const std::string& content) {
    std::string line = error_of([&] { const Cases cases(load_plan(write(content))); });
    for (std::size_t at = 0; (at = line.find(folder_.path.string() + '/')) != line.npos;)
      line.erase(at, folder_.path.string().size() + 1);
    return line;
  }

  const std::string cases_ = R"("cases":[{"params":"input_box.params","obstacles":"obstacles_box.dat"}])";
  const std::string runs_ = R"("runs":[{"model":"*"}])";
  TemporaryFolder folder_;
};

}  // namespace boltzmark::testing
