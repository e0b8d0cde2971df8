#include "common/magnetic_field/forms.hpp"

#include <cmath>

namespace boltzmark::magnetic_field {

using std::numbers::pi;

Oracle::Oracle(const std::vector<double>& boundary, std::int64_t n, double alpha)
    : n_(n),
      alpha_(alpha),
      shaded_(boundary),
      sines_(boundary.size()),
      cosines_(boundary.size()),
      coefficients_(boundary.size()) {
  for (std::int64_t j = 0; j < n; ++j)
    for (std::int64_t k = 0; k < n; ++k) {
      shaded_[j * n + k] *= std::sqrt(window(j) * window(j) + window(k) * window(k));
      sines_[j * n + k] = std::sin(half_turns(j, k, n));
      cosines_[j * n + k] = std::cos(half_turns(j, k, n));
    }
  std::vector<double> along_z(boundary.size());
  for (std::int64_t a = 0; a < n; ++a)
    for (std::int64_t b = 0; b < n; ++b)
      for (std::int64_t q = 0; q < n; ++q) along_z[a * n + q] += shaded_[a * n + b] * sine(b, q);
  for (std::int64_t p = 0; p < n; ++p)
    for (std::int64_t a = 0; a < n; ++a)
      for (std::int64_t q = 0; q < n; ++q)
        coefficients_[p * n + q] += 4.0 / ((n - 1.0) * (n - 1.0)) * sine(p, a) * along_z[a * n + q];
}

double Oracle::window(std::int64_t j) const {
  const double rows = 0.37 * (static_cast<double>(n_) - 1.0), last = static_cast<double>(n_ - 1 - j);
  const auto rise = [&](double from_end) { return 0.5 + 0.5 * std::cos(2.0 * pi * from_end / rows - pi); };
  if (static_cast<double>(j) < std::ceil(rows / 2.0)) return rise(static_cast<double>(j));
  return last < std::ceil(rows / 2.0) ? rise(last) : 1.0;
}

Oracle::Modes Oracle::modes(std::int64_t i) const {
  const std::size_t all = coefficients_.size();
  const std::vector<double> none(all);
  Modes modes = {none, none, none, none, none};
  const double x = height * static_cast<double>(i) / static_cast<double>(n_);
  for (std::int64_t p = 0; p < n_; ++p)
    for (std::int64_t q = 0; q < n_; ++q) {
      const double py = pi * static_cast<double>(p), qz = pi * static_cast<double>(q);
      const double l = p + q == 0 ? 1.0 : py * py + qz * qz, r = std::sqrt(l - alpha_ * alpha_);
      const std::int64_t at = p * n_ + q;
      const double mode = coefficients_[at] * std::exp(-r * x);
      modes.x_ss[at] = mode;
      modes.y_cs[at] = -mode / l * r * py;
      modes.y_sc[at] = mode / l * alpha_ * qz;
      modes.z_cs[at] = mode / l * alpha_ * py;
      modes.z_sc[at] = mode / l * r * qz;
    }
  return modes;
}

std::array<std::vector<double>, 3> Oracle::row(const Modes& modes, std::int64_t j) const {
  const std::vector<double> none(static_cast<std::size_t>(n_));
  std::array<std::vector<double>, 3> field = {none, none, none};
  const auto add = [this](std::vector<double>& to, double factor, const std::vector<double>& rows, std::int64_t row) {
    const double* const from = rows.data() + row * n_;
    for (std::int64_t k = 0; k < n_; ++k) to[k] += factor * from[k];
  };
  std::vector<double> x_s = none, y_s = none, y_c = none, z_s = none, z_c = none;  // of z, by q
  for (std::int64_t p = 0; p < n_; ++p) {
    const double s = sine(p, j), c = cosines_[p * n_ + j];
    add(x_s, s, modes.x_ss, p);
    add(y_s, c, modes.y_cs, p);
    add(z_c, s, modes.z_sc, p);
    if (alpha_ == 0.0) continue;
    add(y_c, s, modes.y_sc, p);
    add(z_s, c, modes.z_cs, p);
  }
  for (std::int64_t q = 0; q < n_; ++q) {
    add(field[0], x_s[q], sines_, q);
    add(field[1], y_s[q], sines_, q);
    add(field[2], z_c[q], cosines_, q);
    if (alpha_ == 0.0) continue;
    add(field[1], y_c[q], cosines_, q);
    add(field[2], z_s[q], sines_, q);
  }
  return field;
}

}  // namespace boltzmark::magnetic_field
