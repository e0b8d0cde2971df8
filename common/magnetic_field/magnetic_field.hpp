// The magnetic field on a target. Its modes are computed for every layer of the box and transformed into the field:
// axis by axis in place, or into another field.
#pragma once

#include <algorithm>
#include <array>
#include <climits>

#include "common/magnetic_field/forms.hpp"
#include "common/target/on_target.hpp"

// Must come after all others, because its words are macros.
#include "common/magnetic_field/magnetic_field.h"

namespace boltzmark::magnetic_field {

template <class Target>
class Code : public CodeOn<Target> {
 public:
  using typename CodeOn<Target>::T;

  /// Layers of heights, by tiles; and no fewer than there are tables.
  static Lattice lattice(const Problem& problem, const Share& share) {
    const auto n = static_cast<int>(problem.size[0]), layers = static_cast<int>(share.end(n) - share.begin(n));
    return {n, tiles(n) * MAGNETIC_TILE, std::max<int>(tables, tiles(layers) * MAGNETIC_TILE)};
  }

  Code(Target& target, const Problem& problem, const Share& share, int form)
      : CodeOn<Target>(target, problem, share, form),
        n_(static_cast<int>(problem.size[0])),
        first_(static_cast<int>(share.begin(n_))),
        layers_(static_cast<int>(share.end(n_)) - first_),
        terms_(problem.numbers[0] == 0.0 ? 3 : 5),
        at_once_(form == Form::separable && target.is_site_by_site() && fits_terms() ? 3 : 1),
        tables_(target.make(1)),
        half_(target.make(at_once_)),
        modes_(target.make(terms_)) {
    if (form_ != Form::separable) field_ = target.make(3);
  }

  /// Tables, including the boundary with its window.
  void start() {
    const double alpha = problem_.numbers[0], pi = std::numbers::pi;
    const auto& boundary = array_of(problem_.start, "input");
    const auto size = static_cast<std::size_t>(n_) * static_cast<std::size_t>(n_);
    std::vector<double> all(tables * size);
    const auto table = [&](int layer, int row, int column) -> double& {
      return all[layer * size + static_cast<std::size_t>(row) * n_ + column];
    };
    for (int p = 0; p < n_; ++p)
      for (int q = 0; q < n_; ++q) {
        const double l = p + q == 0 ? 1.0 : pi * pi * (double(p) * p + double(q) * q), r = std::sqrt(l - alpha * alpha);
        table(sine, p, q) = std::sin(half_turns(p, q, n_));
        table(cosine, p, q) = std::cos(half_turns(p, q, n_));
        table(rate, p, q) = r;
        table(factor, q, p) = 1.0;
        table(factor + 1, q, p) = -r * pi * p / l;
        table(factor + 2, q, p) = r * pi * q / l;
        table(factor + 3, q, p) = alpha * pi * q / l;
        table(factor + 4, q, p) = alpha * pi * p / l;
        table(windowed, p, q) = boundary[static_cast<std::size_t>(p) * n_ + q] * std::hypot(window(p), window(q)) *
                                4.0 / (double(n_ - 1) * (n_ - 1));
      }
    bring(target_, tables_, 0, target_.lattice().box(0, 0, 0, n_, n_, tables), all.data());
  }

  void step() {
    make_coefficients();
    // By a few layers at a time, so that the modes are used while they are in a processor's caches.
    const int at_once = form_ == Form::separable && at_once_ == 1 ? std::max(1, layers_at_once / (n_ * n_)) : layers_;
    for (int layer = 0; layer < layers_; layer += at_once) transform(layer, std::min(at_once, layers_ - layer));
  }

  Arrays results() {
    Arrays all = {{"Bx", {}}, {"By", {}}, {"Bz", {}}};
    const Sites box = target_.lattice().box(0, 0, 0, n_, n_, layers_);
    for (int v = 0; v < 3; ++v) all[v].values = share_.collect(fetch(target_, field_ ? *field_ : modes_, v, box));
    return all;
  }

 protected:
  using typename CodeOn<Target>::Field;
  enum Layer : int { sine, cosine, rate, factor, windowed = factor + 5, coefficient, tables };
  static constexpr int own = -1;  ///< layer of a matrix: that of the product
  struct Term {
    int component;
    Layer of_row, of_column;
  };
  /// Terms due to alpha come last.
  static constexpr std::array<Term, 5> all_terms = {
      {{0, sine, sine}, {1, cosine, sine}, {2, sine, cosine}, {1, sine, cosine}, {2, cosine, sine}}};

  static int tiles(int count) { return (count + MAGNETIC_TILE - 1) / MAGNETIC_TILE; }
  int origin() const { return target_.lattice().site(0, 0, 0); }

  /// The outer cells: in total 0.37 of the rows.
  double window(int j) const {
    const double part = 0.37, rows = part * (n_ - 1), from_end = std::min(j, n_ - 1 - j);
    if (from_end >= std::ceil(rows / 2.0)) return 1.0;
    return 0.5 * (1.0 + std::cos(std::numbers::pi * (2.0 * from_end / rows - 1.0)));
  }

  /// A matrix of a product: its own layers from a value of a field on, or tables, given by four bits per product.
  struct Matrix {
    Field& field;
    int value = 0, tables = own;
  };
  /// Layers from `layer` on of this many products, to values of a field from `value` on.
  void multiply(Field& out, int value, bool adds, const Matrix& left, const Matrix& right, int layer, int layers,
                int products = 1) {
    Sites box = target_.lattice().box(0, 0, layer, n_, tiles(n_), layers * products);
    box.row_pitch *= MAGNETIC_TILE;
    target_.launch(TARGET_KERNEL(product), box, out, value, static_cast<int>(adds), left.field, left.value, left.tables,
                   right.field, right.value, right.tables, products > 1 ? layers : INT_MAX, n_, origin());
  }

  void make_coefficients() {
    // The coefficients of equal q form a row, like the modes.
    multiply(half_, 0, false, {tables_, 0, windowed}, {tables_, 0, sine}, 0, 1);
    multiply(tables_, 0, false, {tables_, 0, sine}, {half_, 0, 0}, coefficient, 1);
  }
  /// The terms from `first` on, as many as are computed at once, axis by axis in place of their modes.
  void multiply_axes(int first, int count, int layer, int layers) {
    int of_rows = 0, of_columns = 0;
    for (int t = first + count - 1; t >= first; --t) {
      of_rows = of_rows << 4 | all_terms[t].of_row;
      of_columns = of_columns << 4 | all_terms[t].of_column;
    }
    multiply(half_, 0, false, {modes_, first}, {tables_, 0, of_columns}, layer, layers, count);
    multiply(modes_, all_terms[first].component, first >= 3, {tables_, 0, of_rows}, {half_}, layer, layers, count);
  }
  void make_modes(const Sites& box) {
    target_.launch(TARGET_KERNEL(decay), box, tables_, int{coefficient}, int{rate}, int{factor}, modes_, terms_,
                   origin(), std::int64_t{first_}, static_cast<T>(height / n_));
  }

  /// Computes the modes of some layers, and their field.
  void transform(int layer, int layers) {
    const Sites box = target_.lattice().box(0, 0, layer, n_, n_, layers);
    make_modes(box);
    if (form_ == Form::separable) {
      for (int t = 0, count = 0; t < terms_; t += count) {
        count = std::min(at_once_, t < 3 ? 3 - t : terms_ - t);
        multiply_axes(t, count, layer, layers);
      }
      return;
    }
    for (int t = 0; t < terms_; ++t) {
      const auto [component, of_row, of_column] = all_terms[t];
      const bool adds = t >= 3;
      if (form_ == Form::direct) {
        target_.launch(TARGET_KERNEL(sums), box, *field_, component, int{adds}, modes_, t, tables_, int{of_row},
                       int{of_column}, n_, origin());
      } else if (form_ == Form::rows) {
        target_.launch_rows(TARGET_KERNEL(row_sums), box, *field_, component, int{adds}, modes_, t, tables_,
                            int{of_row}, int{of_column}, n_, origin());
      } else {
        Sites by_tile = box;
        by_tile.layers = tiles(layers);
        by_tile.layer_pitch *= MAGNETIC_TILE;
        target_.launch(TARGET_KERNEL(tiled_sums), by_tile, *field_, component, int{adds}, modes_, t, tables_,
                       int{of_row}, int{of_column}, n_, origin());
      }
    }
  }

  using CodeOn<Target>::target_, CodeOn<Target>::problem_, CodeOn<Target>::share_, CodeOn<Target>::form_;

  /// Whether ints can number the sites of all terms.
  bool fits_terms() const { return std::int64_t{terms_} * target_.lattice().stride() < INT_MAX; }

  int n_, first_, layers_, terms_, at_once_;  ///< terms whose first product is kept at a time
  Field tables_, half_, modes_;
  std::optional<Field> field_;
};

}  // namespace boltzmark::magnetic_field
