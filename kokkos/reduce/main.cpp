// reduce-kokkos: an array reduced by Kokkos.
#include "kokkos/on_space.hpp"

#include "common/reduce/reducer.hpp"
#include "common/reduce/vectors.hpp"

namespace boltzmark::kokkos {
namespace {
using namespace reduce;

/// The array in the space's memory. `How` is the variant: How::reduced(op, view of the values) of its kernel.
template <class How>
class OfArray : public OnSpace<Reducer> {
 public:
  using OnSpace<Reducer>::OnSpace;

  void init(const Task& task) override {
    task_ = task;
    words_ = untouched<Kokkos::View<std::uint32_t*>>("values", task.elements * (task.is_wide ? 2 : 1));
    with_operator(task_, [this]<class Op, class T>(Op, T) { return fill<Op, T>(); });
  }
  Result reduce() override {
    return with_operator(task_, [this]<class Op, class T>(Op op, T) { return How::reduced(op, values<T>()); });
  }

  template <class Op, class T>
  int fill() {
    const auto to = values<T>();
    const bool is_ramp = task_.is_ramp;
    Kokkos::parallel_for(
        Numbers(0, task_.elements), KOKKOS_LAMBDA(std::int64_t i) {
          to(i) = is_ramp ? static_cast<T>(i) : Op::template value<T>(static_cast<unsigned int>(i));
        });
    return 0;
  }
  /// Of numbers or words, as wide as the task's.
  template <class T>
  auto values() const {
    return Kokkos::View<T*, Kokkos::MemoryUnmanaged>(reinterpret_cast<T*>(words_.data()),
                                                     static_cast<std::size_t>(task_.elements));
  }

 private:
  Task task_;
  Kokkos::View<std::uint32_t*> words_;
};

/// Textbook: parallel_reduce with a reducer. Kokkos has one for each of the operators but bit-wise exclusive or.
struct Textbook {
  template <class Op, class View>
  static Result reduced(Op, const View& values) {
    using T = typename View::value_type;
    T result = Op::template neutral<T>;
    Kokkos::parallel_reduce(
        Numbers(0, static_cast<std::int64_t>(values.extent(0))),
        KOKKOS_LAMBDA(std::int64_t i, T & so_far) { so_far = Op::of(so_far, values(i)); }, Joined<Op, T>{&result});
    return result_of(result);
  }
};

/// Teams: a team has a block of the array. A processor's one thread takes it in vectors (common/reduce/vectors.hpp),
/// those of a GPU neighbouring values. Totals are joined by a tree.
struct Teams {
  template <class Op, class View>
  static Result reduced(Op op, const View& array) {
    using T = typename View::value_type;
    using Whole = Total<Op, T>;
    constexpr std::int64_t block = is_host ? 8192 : 4096;
    const auto count = static_cast<std::int64_t>(array.extent(0));
    const T* const values = array.data();
    Whole total;
    Kokkos::parallel_reduce(
        rows_policy((count + block - 1) / block),
        KOKKOS_LAMBDA(const Member& team, Whole& so_far) {
          const std::int64_t begin = team.league_rank() * block, end = begin + block < count ? begin + block : count;
          if constexpr (is_host)
            so_far.take(reduce_vectors(op, values, {begin, end}));
          else
            Kokkos::parallel_for(Kokkos::TeamThreadRange(team, begin, end),
                                 [&](std::int64_t i) { so_far.take(values[i]); });
        },
        Joined<Merged, Whole>{&total});
    return total.result();
  }
};

const Variant textbook = textbook_of<Reducer, OfArray<Textbook>>("a loop with parallel_reduce and a reducer");
const Variant teams = like_for_like_of<Reducer, OfArray<Teams>>(
    "teams", "parallel_reduce over blocks, each in the vectors of a processor or by the threads of a team");

}  // namespace
}  // namespace boltzmark::kokkos

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace kokkos;
  return run_on_space(argc, argv, {textbook, teams}, "teams");
}
