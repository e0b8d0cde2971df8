// segments-mpi: segmented sums of an array of which ranks have whole segments, or where these are few, a part of each.
//
//     many segments   sums of my segments
//     few             part of every sum, of my part of each segment;   MPI_Allreduce(parts, sums)
#include "common/run/cpu_device.hpp"
#include "common/segments/host_reducer.hpp"
#include "mpi/neighbours.hpp"
#include "mpi/team.hpp"
#include "mpi/types.hpp"
#include "mpi/workers.hpp"

namespace boltzmark::mpi {
namespace {

template <class T>
class RankSegments : public segments::HostReducer<T> {
 public:
  explicit RankSegments(bool is_textbook) : is_textbook_(is_textbook) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
  }
  std::string shortage(double bytes) override { return shortage_of_ranks(static_cast<std::uint64_t>(bytes / ranks_)); }
  std::int64_t part() const override { return are_few() ? all_.segments : HostReducer::part(); }
  void read(std::int64_t at, std::span<double> sums) override {
    if (!are_few()) return HostReducer::read(at, sums);
    std::copy_n(of_all_.data() + at, sums.size(), sums.begin());
  }

  void spoil() override {
    HostReducer::spoil();
    std::fill(of_all_.begin(), of_all_.end(), std::numeric_limits<T>::quiet_NaN());
  }
  void init(const segments::Shape& shape) override {
    all_ = shape;
    if (!are_few()) {
      this->make_arrays(shape, segments::segments_of(shape.segments, rank_, ranks_));
      return this->fill();
    }
    // A rank's array is its part of every segment, one after the other.
    mine_of_each_ = segments::segments_of(shape.length, rank_, ranks_);
    this->make_arrays({shape.segments, mine_of_each_.size()}, {0, shape.segments});
    of_all_.resize(static_cast<std::size_t>(shape.segments));
    T* value = this->values_.data();
    for (std::int64_t segment = 0; segment < shape.segments; ++segment)
      for (std::int64_t i = mine_of_each_.begin; i < mine_of_each_.end; ++i)
        *value++ = T(0.125) * static_cast<T>(eighths_at(static_cast<unsigned int>(segment * shape.length + i)));
  }

  void reduce() override {
    const std::int64_t length = this->shape_.length;
    T* const sums = this->sums_.data();
    if (is_textbook_)
      for (std::int64_t segment = 0; segment < this->mine_.size(); ++segment) {
        T sum = 0;
        for (std::int64_t i = 0; i < length; ++i) sum += this->values_[segment * length + i];
        sums[segment] = sum;
      }
    else
      segments::sum_segments<T>(this->values_.data(), sums, length, {0, this->mine_.size()});
    if (are_few())
      MPI_Allreduce(sums, of_all_.data(), static_cast<int>(of_all_.size()), value_type<T>(), MPI_SUM, MPI_COMM_WORLD);
  }

  RunFacts facts() const override { return {.device = cpu_name(), .driver = library_version(), .ranks = ranks_}; }

 private:
  using HostReducer = segments::HostReducer<T>;
  bool are_few() const { return all_.segments < 8 * ranks_; }  // with which the shares are uneven

  bool is_textbook_;
  int rank_ = 0, ranks_ = 1;
  segments::Shape all_;
  Range mine_of_each_;
  std::vector<T> of_all_;
};

template <bool is_textbook>
std::unique_ptr<segments::Reducer> make(const Options& asked) {
  if (asked.precision == Precision::f64) return std::make_unique<RankSegments<double>>(is_textbook);
  return std::make_unique<RankSegments<float>>(is_textbook);
}

const segments::Variant textbook = {
    .name = "textbook", .summary = "two loops on each rank", .role = Role::textbook, .make = make<true>};
const segments::Variant vectors = {
    .name = "vectors", .summary = "vectors on each rank", .role = Role::like_for_like, .make = make<false>};

}  // namespace
}  // namespace boltzmark::mpi

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace mpi;
  return run_ranks_program<segments::Variant>(
      argc, argv,
      {.model = "mpi",
       .summary = "Segmented sums on the ranks of an MPI launcher (one rank without)",
       .build = BOLTZMARK_BUILD_INFO,
       .variants = {textbook, vectors},
       .default_variant = "vectors",
       .devices = cpu_devices,
       .warning = crowding});
}
