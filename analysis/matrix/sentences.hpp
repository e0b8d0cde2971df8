// What is right and what is not of results, and their machine, in sentences.
#pragma once

#include <string>
#include <vector>

#include "analysis/roofline/rows.hpp"

namespace boltzmark {

/// What is neither right nor wrong for one reason.
struct Reason {
  std::string state, reason;
  int count = 0;
  std::vector<std::string> who;

  std::string line() const;
};
/// The most frequent first. Runs of several parts count once.
std::vector<Reason> reasons(const Rows& rows);
/// "All 131 runs are right; 4 not available here: ...".
std::string verdict_words(const Rows& rows);
/// How many figures are noisy; "" where all are steady.
std::string noisy(const Rows& rows);
/// "3 rounds.", and where they are too few to rank by; "" without right rows.
std::string rounds_words(const Rows& rows);
/// What ran most first: devices with their bandwidth and arithmetic as measured, compilers, the day.
std::string machine_line(const Rows& rows, const std::vector<nlohmann::json>& peaks);

}  // namespace boltzmark
