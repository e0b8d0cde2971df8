// A multiplication whose matrices are in blocks over ranks.
#pragma once

#include "common/matmul/host_multiplier.hpp"
#include "mpi/gathered.hpp"

namespace boltzmark::mpi {
using namespace matmul;

template <class T>
class RankMultiplier : public GatheredRanks<T, HostMultiplier<T>> {
 public:
  using GatheredRanks<T, HostMultiplier<T>>::GatheredRanks;

  /// The root also takes C as a whole.
  std::string shortage(double bytes) override { return OnRanks<HostMultiplier<T>>::shortage(1.5 * bytes); }

 protected:
  const T* row_of_mine(std::int64_t row) const override {
    return this->c_.data() + row * this->block_of_c_.columns.size();
  }
};

}  // namespace boltzmark::mpi
