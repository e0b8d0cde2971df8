// STREAM over ranks: each rank owns a stretch of the arrays and runs every kernel on it alone; only the dot
// product needs a message.
#include <mpi.h>

#include <algorithm>

#include "common/host_stream.hpp"
#include "common/provenance.hpp"
#include "mpi/library.hpp"
#include "mpi/models.hpp"

namespace boltzmark::mpi {
namespace {

/// The ranks on this rank's machine, which share its caches and its memory.
class Neighbours {
 public:
  Neighbours() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &ranks_);
  }
  Neighbours(const Neighbours&) = delete;
  Neighbours& operator=(const Neighbours&) = delete;
  ~Neighbours() { MPI_Comm_free(&ranks_); }

  bool is_first() const {
    int rank = 0;
    MPI_Comm_rank(ranks_, &rank);
    return rank == 0;
  }
  std::uint64_t sum_of(std::uint64_t mine) const {
    std::uint64_t sum = 0;
    MPI_Allreduce(&mine, &sum, 1, MPI_UINT64_T, MPI_SUM, ranks_);
    return sum;
  }
  /// The processors that any of them may use: a launcher may have bound each to its own.
  cpu_set_t processors() const {
    const cpu_set_t mine = usable_processors();
    cpu_set_t all;
    MPI_Allreduce(&mine, &all, sizeof mine, MPI_BYTE, MPI_BOR, ranks_);
    return all;
  }

 private:
  MPI_Comm ranks_ = MPI_COMM_NULL;
};

template <class T>
class MpiStream : public HostStream<T> {
 public:
  MpiStream() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
  }

  /// The caches of all machines, each machine's once.
  StreamMemory memory() override {
    const Neighbours neighbours;
    const cpu_set_t processors = neighbours.processors();
    const std::uint64_t mine = neighbours.is_first() ? last_level_cache_bytes(processors) : 0;
    StreamMemory memory;
    MPI_Allreduce(&mine, &memory.cache_bytes, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return memory;
  }

  /// The words of the first rank whose machine has too little for all the ranks on it.
  std::string shortage(std::int64_t elements) override {
    const Neighbours neighbours;
    const std::uint64_t mine = HostStream<T>::bytes_of_three(stretch(elements).size());
    std::string words = memory_shortage(neighbours.sum_of(mine));
    const int candidate = words.empty() ? ranks_ : rank_;
    int first = ranks_;
    MPI_Allreduce(&candidate, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first == ranks_) return "";
    auto length = static_cast<int>(words.size());
    MPI_Bcast(&length, 1, MPI_INT, first, MPI_COMM_WORLD);
    words.resize(static_cast<std::size_t>(length));
    MPI_Bcast(words.data(), length, MPI_CHAR, first, MPI_COMM_WORLD);
    return words;
  }

  void init(std::int64_t elements) override {
    arrays_ = StreamArrays<T>(stretch(elements).size());
    arrays_.init(mine());
  }
  void copy() override { arrays_.copy(mine()); }
  void mul() override { arrays_.mul(mine()); }
  void add() override { arrays_.add(mine()); }
  void triad() override { arrays_.triad(mine()); }
  double dot() override {
    double sum = 0.0;
    const double of_mine = arrays_.dot(mine());
    MPI_Allreduce(&of_mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
  }

  StreamFacts facts() const override {
    return {.device = provenance_now().cpu,
            .driver = library_version(),
            .ranks = ranks_,
            .settings = {{"vector_lanes", native_lanes<T>}}};
  }

 private:
  using HostStream<T>::arrays_;
  Stretch stretch(std::int64_t elements) const { return stretch_of(elements, rank_, ranks_, sizeof(T)); }
  Stretch mine() const { return {0, arrays_.size()}; }

  int rank_ = 0, ranks_ = 1;
};

}  // namespace

std::unique_ptr<Stream> make_stream(Precision precision) {
  if (precision == Precision::f64) return std::make_unique<MpiStream<double>>();
  return std::make_unique<MpiStream<float>>();
}

}  // namespace boltzmark::mpi
