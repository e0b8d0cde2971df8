#include "common/heat/oracle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/cpu/memory.hpp"

namespace boltzmark::heat {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

double larger(double worst, double error) { return std::isfinite(error) ? std::max(worst, error) : infinite; }

}  // namespace

void Oracle::begin() {
  if (now_.empty()) require_memory("the oracle", plate_.bytes(sizeof(double)));
  now_.resize(index(plate_.height, plate_.width) + 1);
  for (std::int64_t row = -1; row <= plate_.height; ++row) plate_.fill(row, now_.data() + index(row, -1));
  next_ = now_;
  deltas_.clear();
  magnitudes_.clear();
}

void Oracle::step() {
  double delta = 0.0, magnitude = 0.0;
  for (std::int64_t row = 0; row < plate_.height; ++row) {
    double of_row = 0.0, row_magnitude = 0.0;
    for (std::int64_t column = 0; column < plate_.width; ++column) {
      const double centre = now_[index(row, column)];
      const double sum = centre + now_[index(row - 1, column)] + now_[index(row + 1, column)] +
                         now_[index(row, column - 1)] + now_[index(row, column + 1)];
      next_[index(row, column)] = 0.2 * sum;
      of_row += std::abs(0.2 * sum - centre);
      row_magnitude += std::abs(0.2 * sum);
    }
    delta += of_row;
    magnitude += row_magnitude;
  }
  std::swap(now_, next_);
  deltas_.push_back(delta);
  magnitudes_.push_back(magnitude);
}

void Oracle::decay_to(int steps) {
  const double factor = plate_.decay();
  if (now_.empty()) begin();
  double magnitude = 0.0;
  for (const double temperature : now_) magnitude += std::abs(temperature);
  deltas_.clear();
  magnitudes_.clear();
  shrunk_ = 1.0;
  for (int step = 0; step < steps; ++step) {
    deltas_.push_back(std::abs(factor - 1.0) * std::abs(shrunk_) * magnitude);
    shrunk_ *= factor;
    magnitudes_.push_back(std::abs(shrunk_) * magnitude);
  }
}

void Oracle::go_to(int steps) {
  if (plate_.start == Start::mode) return decay_to(steps);
  if (now_.empty() || steps < static_cast<int>(deltas_.size())) begin();
  while (static_cast<int>(deltas_.size()) < steps) step();
}

double Oracle::temperature(std::int64_t row, std::int64_t column) const { return shrunk_ * now_[index(row, column)]; }

double Oracle::field_error(const ReadRow& read) const {
  std::vector<double> found(static_cast<std::size_t>(plate_.width));
  double worst = 0.0;
  for (std::int64_t row = 0; row < plate_.height; ++row) {
    read(row, found);
    for (std::int64_t column = 0; column < plate_.width; ++column)
      worst = larger(worst, std::abs(found[column] - temperature(row, column)) / plate_.scale());
  }
  return worst;
}

double Oracle::delta_error(std::span<const double> deltas, int value_bytes) const {
  // Programs flush denormals to zero: below this sum of changes nothing can be told apart.
  const double least_scale =
      4.0 * plate_.cells() *
      (value_bytes == 4 ? double{std::numeric_limits<float>::min()} : std::numeric_limits<double>::min()) /
      tolerance(value_bytes, static_cast<int>(deltas.size()));
  double worst = 0.0;
  for (std::size_t step = 0; step < deltas.size(); ++step) {
    const double scale = deltas_.at(step) + magnitudes_.at(step);
    worst = larger(worst, std::abs(deltas[step] - deltas_[step]) / std::max(scale, least_scale));
  }
  return worst;
}

double Oracle::tolerance(int value_bytes, int steps) {
  if (value_bytes == 4) return std::numeric_limits<float>::epsilon() * (256.0 + steps);
  return std::numeric_limits<double>::epsilon() * (8192.0 + steps);
}

}  // namespace boltzmark::heat
