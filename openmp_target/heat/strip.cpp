// Strip: a thread has `rows` rows of a vector's columns and goes down them `at_once` at a time: it loads all their
// inputs before it uses any, and reads each value only once as a neighbour above or below. One region per step; warps
// store sums of their changes, which one region adds up for many steps (a reduction clause takes longer than a step).
//
//     for my rows, at_once at a time   read down to the row below them, and their sides
//                                      for each   next = 0.2 (...);   changes += |next - centre|
#include "openmp_target/heat/device_grids.hpp"
#include "openmp_target/runtime/sums.hpp"

namespace boltzmark::openmp_target {
namespace {

#pragma omp begin declare target

template <class T>
struct StripShape {
  enum : int { lanes = Image::is_gpu ? 16 / sizeof(T) : native_lanes<T>, at_once = 4 };
  using Vector = Pack<T, lanes>;
};

/// The western neighbours of the vector that begins here, and the eastern ones: for short vectors one value is read and
/// the others are in registers; long ones are read.
template <class T, int lanes>
KERNEL_FN Pack<T, lanes> west_of(const T* at, Pack<T, lanes> centre) {
  if (!Image::is_gpu) return Pack<T, lanes>::load(at - 1);
  Pack<T, lanes> west = centre.rotated_up();
  west.raw[0] = at[-1];
  return west;
}
template <class T, int lanes>
KERNEL_FN Pack<T, lanes> east_of(const T* at, Pack<T, lanes> centre) {
  if (!Image::is_gpu) return Pack<T, lanes>::load(at + 1);
  Pack<T, lanes> east = centre.rotated_down();
  east.raw[lanes - 1] = at[lanes];
  return east;
}

/// A step of rows first .. end - 1 of a vector's columns, of which `inside` belong to the plate; returns their changes.
/// `from` and `to`: start of the vector in the row before the first.
template <class T>
KERNEL_FN T step_of_strip(const T* from, T* to, int rows, std::int64_t pitch,
                          typename StripShape<T>::Vector::Mask inside) {
  using Vector = typename StripShape<T>::Vector;
  constexpr int at_once = StripShape<T>::at_once;
  Vector row[at_once + 2], west[at_once], east[at_once], changes = Vector::zero();
  row[0] = vector_at<Vector>(from);
  row[1] = vector_at<Vector>(from + pitch);
  for (int done = 0; done < rows; done += at_once) {
    UNROLL for (int r = 0; r < at_once; ++r) {
      const T* const at = from + (done + r < rows ? done + r + 1 : rows) * pitch;
      row[r + 2] = vector_at<Vector>(at + pitch);
      west[r] = west_of(at, row[r + 1]);
      east[r] = east_of(at, row[r + 1]);
    }
    UNROLL for (int r = 0; r < at_once; ++r) {
      if (done + r >= rows) continue;
      const Vector centre = row[r + 1];
      const Vector mean = (centre + (row[r] + row[r + 2]) + (west[r] + east[r])) * T(0.2);
      const Vector next = choose(inside, mean, centre);
      set_vector(to + (done + r + 1) * pitch, next);
      changes = changes + absolute(next - centre);
    }
    row[0] = row[at_once];
    row[1] = row[at_once + 1];
  }
  return changes.sum();
}

#pragma omp end declare target

template <class T>
class Strip : public DeviceGrids<T> {
 public:
  using DeviceGrids<T>::DeviceGrids;

  void init(const Plate& plate, int steps) override {
    const int lanes = this->is_gpu() ? 16 / static_cast<int>(sizeof(T)) : this->device_.properties.template lanes<T>();
    rows_ = this->is_gpu() ? 8 : 64;
    this->lay_out(16, plate.width + 16);
    DeviceGrids<T>::init(plate, steps);
    columns_ = (plate.width + lanes - 1) / lanes;
    this->launch_over(columns_ * ((plate.height + rows_ - 1) / rows_));
    sums_ = StepSums(this->launch_, this->device_.properties.sum_group, steps);
  }

  void advance(std::span<double> deltas) override {
    this->advance_by(1, sums_, deltas, [this](int step, int) { step_once(sums_.parts(step)); });
  }

  RunFacts facts() const override {
    RunFacts facts = this->facts_with(2.0 * sizeof(T), sizeof(T));
    facts.settings["rows"] = rows_;
    return facts;
  }

 private:
  void step_once(double* sums) {
    const int device = this->launch_.device, teams = this->launch_.teams, threads = this->launch_.threads;
    const int width = static_cast<int>(this->plate_.width), height = static_cast<int>(this->plate_.height);
    const int rows = rows_;
    const std::int64_t pitch = this->pitch_, columns = columns_, strips = (height + rows - 1) / rows;
    const T* const from = this->grids_[this->now_].data() + this->lead_;
    T* const to = this->grids_[1 - this->now_].data() + this->lead_;
    LaunchRecord* const record = this->record_.data();
#pragma omp target teams is_device_ptr(from, to, sums, record) device(device) num_teams(teams) thread_limit(threads)
#pragma omp parallel num_threads(threads)
    {
      record_launch(record, teams, threads);
      constexpr int lanes = StripShape<T>::lanes;
      std::conditional_t<bool(Image::is_gpu), T, double> changes = 0;
      const IndexRange range = indices_of_thread(columns * strips);
      for (std::int64_t at = range.begin; at < range.end; at += range.stride) {
        const int strip = static_cast<int>(std::uint32_t(at) / std::uint32_t(columns)), first = strip * rows;
        const int x = static_cast<int>(at - strip * columns) * lanes, left = width - x;
        const auto inside =
            StripShape<T>::Vector::mask_from_bits(left >= lanes ? ~std::uint32_t{0} : (1u << left) - 1u);
        changes += step_of_strip(from + first * pitch + x, to + first * pitch + x,
                                 height - first < rows ? height - first : rows, pitch, inside);
      }
      store_group_sum(changes, sums);
    }
  }

  int rows_ = 1;              ///< of a thread
  std::int64_t columns_ = 0;  ///< vectors of a row
  StepSums sums_;
};

}  // namespace

extern const Variant strip = like_for_like_of<Solver, Strip>(
    "strip", "each thread moves down a strip of columns, a few rows at a time in registers");

}  // namespace boltzmark::openmp_target
