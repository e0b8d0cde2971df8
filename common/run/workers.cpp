#include "common/run/workers.hpp"

#include <utility>

namespace boltzmark {

RunFacts Workers::with(RunFacts of_variant) const {
  of_variant.device = facts.device;
  of_variant.device_type = facts.device_type;
  if (of_variant.driver.empty()) of_variant.driver = facts.driver;
  of_variant.threads = facts.threads;
  of_variant.ranks = facts.ranks;
  of_variant.write_allocate = of_variant.write_allocate && facts.write_allocate;
  return of_variant;
}

}  // namespace boltzmark
