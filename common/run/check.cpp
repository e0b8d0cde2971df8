#include "common/run/check.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace boltzmark {

void Check::take(const std::vector<Deviation>& found) {
  if (deviations.empty()) deviations = found;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (const auto& kept = deviations[i].value; kept && (!found[i].value || *found[i].value > *kept))
      deviations[i] = found[i];
  passed = std::all_of(deviations.begin(), deviations.end(),
                       [this](const Deviation& d) { return d.value && *d.value <= tolerance; });
}

const Deviation& Check::worst() const {
  return *std::max_element(deviations.begin(), deviations.end(), [](const Deviation& a, const Deviation& b) {
    if (!a.value || !b.value) return a.value.has_value() && !b.value;
    return *a.value < *b.value;
  });
}

std::string Check::worst_words() const {
  const Deviation& one = worst();
  const std::string where = one.at.empty() ? "" : (one.at.starts_with("step") ? " at " : " in ") + one.at;
  return fmt::format("{} {} {}{}, where {:.0e} is allowed", one.of,
                     one.value ? fmt::format("deviates by {:.2e} from", *one.value) : "is not a number, unlike",
                     against, where, tolerance);
}

}  // namespace boltzmark
