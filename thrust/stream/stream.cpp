// STREAM in Thrust: every kernel is a transform from arrays to an array. Systems with threads give each of them the same
// elements every time.
#include "thrust/on_system.hpp"

#include "common/base/compensated_sum.hpp"
#include "common/stream/kernels.hpp"

namespace boltzmark::by_thrust {
using namespace stream;
using namespace ::thrust::placeholders;
namespace {

/// Sum of a * b over block `number`, the last of which may be shorter.
template <class T>
struct DotOfBlock {
  static constexpr std::int64_t terms = is_gpu ? 1 : 512 * lanes_of<T>;

  const T *a, *b;
  std::int64_t count;

  KERNEL_FN CompensatedSum operator()(std::int64_t number) const {
    constexpr std::int64_t at_once = is_gpu ? 1 : 32 * lanes_of<T>;
    const std::int64_t begin = number * terms, end = begin + terms < count ? begin + terms : count;
    CompensatedSum sum;
    std::int64_t i = begin;
    for (; i + at_once <= end; i += at_once) sum.add(dot_in_lanes<Lanes<T>>(a + i, b + i, at_once));
    for (; i < end; ++i) sum.add(static_cast<double>(a[i]) * static_cast<double>(b[i]));
    return sum;
  }
};

template <class T>
class Plain : public OnSystem<Kernels> {
 public:
  using OnSystem<Kernels>::OnSystem;

  Memory memory() override { return is_gpu ? Memory{.of_device = true} : machine_memory(); }
  void init(std::int64_t elements) override {
    for (auto* array : {&a_, &b_, &c_}) *array = Values<T>(static_cast<std::size_t>(elements));
    fill_with(a_, T(start_a));
    fill_with(b_, T(start_b));
    fill_with(c_, T(start_c));
  }
  void copy() override { thrust::transform(on_system(), a_.begin(), a_.end(), c_.begin(), _1); }
  void mul() override { thrust::transform(on_system(), c_.begin(), c_.end(), b_.begin(), T(scalar) * _1); }
  void add() override { thrust::transform(on_system(), a_.begin(), a_.end(), b_.begin(), c_.begin(), _1 + _2); }
  void triad() override {
    thrust::transform(on_system(), b_.begin(), b_.end(), c_.begin(), a_.begin(), _1 + T(scalar) * _2);
  }
  /// Equal terms round alike, so that a sum's error grows with its length: a few vectors are summed up, and these sums
  /// go into one that keeps what rounding loses.
  double dot() override {
    constexpr std::int64_t terms = DotOfBlock<T>::terms;
    return joined<CompensatedSum>((part() + terms - 1) / terms, DotOfBlock<T>{data_of(a_), data_of(b_), part()},
                                  Merged())
        .value();
  }

  std::int64_t part() const override { return static_cast<std::int64_t>(a_.size()); }
  void read(Array array, std::int64_t first, std::span<double> values) override {
    read_values(array == Array::a ? a_ : array == Array::b ? b_ : c_, first, values);
  }

 private:
  Values<T> a_, b_, c_;
};

const Variant plain = like_for_like_of<Kernels, Plain>("plain", "each kernel one transform over whole arrays");

}  // namespace
}  // namespace boltzmark::by_thrust

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace by_thrust;
  return run_on_system(argc, argv, {plain});
}
