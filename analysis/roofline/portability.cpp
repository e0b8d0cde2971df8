#include "analysis/roofline/portability.hpp"

#include <fmt/core.h>

#include <map>

#include "analysis/roofline/comparison.hpp"

namespace boltzmark {
namespace {

/// Equal for rows of the same code on the same work, on whatever device.
std::string code_of(const Row& row) {
  return fmt::format("{}|{}|{}|{}|{}|{}|{}|{}|{}", row.source, row.key.workload, row.case_digest(),
                     row.key.precision, row.part, row.key.model, row.variant, row.setting, row.tuned);
}

std::string device_of(const Row& row) {
  return row.record->device_type == "cpu" ? row.record->provenance.cpu : row.device;
}

/// The fastest row of each device.
using Devices = std::map<std::string, const Row*>;

}  // namespace

void add_portability(std::vector<Row>& rows) {
  const auto counts = [](const Row& row) { return row.is_right() && row.roofline.share_of_roof; };
  std::map<std::string, Devices> codes;
  for (const Row& row : rows) {
    if (!counts(row)) continue;
    const Row*& fastest = codes[code_of(row)][device_of(row)];
    if (!fastest || updates_per_second(row) > updates_per_second(*fastest)) fastest = &row;
  }
  for (Row& row : rows) {
    if (!counts(row)) continue;
    const Devices& devices = codes[code_of(row)];
    double inverse = 0.0;
    for (const auto& [name, fastest] : devices) inverse += 1.0 / *fastest->roofline.share_of_roof;
    row.portability = {static_cast<double>(devices.size()) / inverse, static_cast<int>(devices.size())};
  }
}

}  // namespace boltzmark
