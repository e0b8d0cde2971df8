// STREAM: the table of kernels, the expected values, and a check that detects errors.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "common/base/compensated_sum.hpp"
#include "common/base/error.hpp"
#include "common/stream/array_kernels.hpp"
#include "programs.hpp"

namespace boltzmark::stream {
namespace {

using namespace boltzmark::testing;

const double not_a_number = std::numeric_limits<double>::quiet_NaN();

TEST(StreamTable, CountsAsStreamDoes) {
  const struct {
    const char* name;
    std::int64_t bytes, with_write_allocate;
    int flops;
  } right[] = {{"copy", 8, 12, 0}, {"mul", 8, 12, 1}, {"add", 12, 16, 1}, {"triad", 12, 16, 2}, {"dot", 8, 8, 2}};
  ASSERT_EQ(std::size(right), all_kernels.size());
  for (std::size_t i = 0; i < all_kernels.size(); ++i) {
    const Kernel& kernel = all_kernels[i];
    EXPECT_EQ(kernel.name, std::string(right[i].name));
    EXPECT_EQ(kernel.bytes(1, 4), right[i].bytes);
    EXPECT_EQ(kernel.bytes(1000, 8), 2000 * right[i].bytes);
    EXPECT_EQ(kernel.bytes_with_write_allocate(1, 4), right[i].with_write_allocate);
    EXPECT_EQ(kernel.flops, right[i].flops);
  }
  EXPECT_EQ(all_kernels[3].bytes(std::int64_t{1} << 40, 8), 24 * (std::int64_t{1} << 40));
}

TEST(StreamValues, FollowTheKernels) {
  Values values = Values::start(Precision::f64);
  EXPECT_EQ(values.a + values.b + values.c, 0.1 + 0.2);
  values.turn(Precision::f64);
  EXPECT_DOUBLE_EQ(values.b, 0.04);
  EXPECT_DOUBLE_EQ(values.c, 0.14);
  EXPECT_DOUBLE_EQ(values.a, 0.096);
  EXPECT_EQ(Values::start(Precision::f32).a, static_cast<double>(0.1f));
}

/// A model whose kernels are right except for the errors that a test adds.
template <class T>
class MadeUp : public Kernels {
 public:
  using Spoil = std::function<void(MadeUp&, Operation)>;
  explicit MadeUp(Spoil spoil) : spoil_(std::move(spoil)) {}

  Memory memory() override { return machine_memory(); }
  void init(std::int64_t elements) override {
    arrays_ = Arrays<T>(elements);
    arrays_.init(whole());
  }
  void copy() override {
    done(Operation::copy, [this] { arrays_.copy(whole()); });
  }
  void mul() override {
    done(Operation::mul, [this] { arrays_.mul(whole()); });
  }
  void add() override {
    done(Operation::add, [this] { arrays_.add(whole()); });
  }
  void triad() override {
    done(Operation::triad, [this] { arrays_.triad(whole()); });
  }
  double dot() override {
    double sum = 0.0;
    done(Operation::dot, [&] { sum = arrays_.dot(whole()); });
    return sum + added_to_dot;
  }
  std::int64_t part() const override { return arrays_.size(); }
  void read(Array array, std::int64_t first, std::span<double> values) override {
    arrays_.read(array, first, values);
    const auto at = wrong.find(array);
    if (at != wrong.end() && at->second.first >= first &&
        at->second.first < first + static_cast<std::int64_t>(values.size()))
      values[static_cast<std::size_t>(at->second.first - first)] = at->second.second;
  }
  RunFacts facts() const override { return {.device = "made up"}; }

  Range whole() const { return {0, part()}; }
  int executions = 0;
  Range* left_out = nullptr;
  double added_to_dot = 0.0;
  std::map<Array, std::pair<std::int64_t, double>> wrong;  ///< an element of an array and its value

 private:
  template <class Work>
  void done(Operation operation, Work&& work) {
    work();
    ++executions;
    if (spoil_) spoil_(*this, operation);
  }
  Spoil spoil_;
  Arrays<T> arrays_;
};

struct Ended {
  int status;
  std::string errors;
  Record record;

  /// Names of the kernels that did not pass.
  std::vector<std::string> failed() const {
    std::vector<std::string> names;
    for (const Deviation& one : record.check.deviations)
      if (!one.value || *one.value > record.check.tolerance) names.push_back(one.of);
    return names;
  }
};

Ended run_made_up(const MadeUp<float>::Spoil& spoil) {
  const TemporaryFolder folder;
  const std::string file = folder / "record";
  const Variant made_up = {
      .name = "made-up", .summary = "", .make = [&](const Options&) { return std::make_unique<MadeUp<float>>(spoil); }};
  const Program program = {.workload = &stream::workload, .model = "made_up", .where = "", .variants = {&made_up}};
  std::vector<std::string> words = {"stream-made-up", "3000000", "--repeat", "2", "--json", file, "--quiet"};
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  ::testing::internal::CaptureStderr();
  const int status = run_program(static_cast<int>(arguments.size()), arguments.data(), program);
  return {status, ::testing::internal::GetCapturedStderr(), records_in(file).at(0)};
}

using Names = std::vector<std::string>;

TEST(StreamCheck, PassesWhatIsRight) {
  const Ended ended = run_made_up({});
  EXPECT_EQ(ended.status, 0) << ended.errors;
  EXPECT_EQ(ended.errors, "");
  EXPECT_EQ(ended.record.check.passed, true);
  EXPECT_EQ(ended.failed(), Names{});
}

/// One element of three million is enough, wherever it is, and the record and the exit status say so.
TEST(StreamCheck, SeesOneWrongElement) {
  const struct {
    Array array;
    std::int64_t at;
    double value;
    Names kernels;
  } cases[] = {{Array::a, 0, 0.0885, {"triad"}},
               {Array::b, 2999999, 0.0369, {"copy", "mul"}},
               {Array::c, 1500000, not_a_number, {"add"}},
               {Array::a, 1 << 20, not_a_number, {"triad"}},
               {Array::b, 77, -std::numeric_limits<double>::infinity(), {"copy", "mul"}}};
  for (const auto& one : cases) {
    const Ended ended = run_made_up([&](MadeUp<float>& stream, Operation) {
      stream.wrong[one.array] = {one.at, one.value};
    });
    EXPECT_EQ(ended.status, 1);
    EXPECT_TRUE(has(ended.errors, "the result is wrong: " + one.kernels.front() +
                                      (std::isfinite(one.value) ? " deviates by" : " is not a number")))
        << ended.errors;
    EXPECT_EQ(count_of(ended.errors, "\n"), 1) << ended.errors;
    EXPECT_EQ(ended.record.check.passed, false);
    EXPECT_EQ(ended.failed(), one.kernels);
  }
}

TEST(StreamCheck, SeesASumThatWasWrongOnce) {
  for (const double error : {1.0, not_a_number}) {
    const Ended ended = run_made_up([&](MadeUp<float>& stream, Operation operation) {
      if (operation == Operation::dot) stream.added_to_dot = stream.executions == 10 ? error : 0.0;
    });
    EXPECT_EQ(ended.status, 1);
    EXPECT_EQ(ended.failed(), Names{"dot"});
    EXPECT_EQ(!ended.record.check.deviations.at(4).value, std::isnan(error));
  }
}

/// A kernel executed twice, or not at all, changes the input of all later ones.
TEST(StreamCheck, SeesAMissedKernel) {
  const Ended ended = run_made_up([](MadeUp<float>& stream, Operation operation) {
    if (operation == Operation::triad && stream.executions == 4) stream.init(stream.part());
  });
  EXPECT_EQ(ended.status, 1);
  EXPECT_EQ(ended.failed(), (Names{"copy", "mul", "add", "triad", "dot"}));
}

/// With the largest number of turns, rounding stays far below the tolerance, and values far from subnormal numbers.
template <class T>
void expect_right_after_all_turns(Precision precision) {
  MadeUp<T> stream({});
  stream.init(4099);
  Values expected = Values::start(precision);
  for (int turn = 0; turn <= most_repeats; ++turn) {
    expected.turn(precision);
    for (std::size_t k = 0; k < all_kernels.size(); ++k) execute(stream, static_cast<Operation>(k));
    EXPECT_LT(relative_error(stream.dot(), 4099 * expected.a * expected.b), 0.7 * tolerance(precision));
  }
  EXPECT_LT(array_error(stream, Array::a, expected.a), 0.5 * tolerance(precision));
  EXPECT_LT(array_error(stream, Array::b, expected.b), 0.5 * tolerance(precision));
  EXPECT_LT(array_error(stream, Array::c, expected.c), 0.5 * tolerance(precision));
  EXPECT_GT(expected.a * expected.b, 4.0 * std::numeric_limits<T>::min());
}
TEST(StreamCheck, AllowsForRoundingInManyTurns) {
  expect_right_after_all_turns<float>(Precision::f32);
  expect_right_after_all_turns<double>(Precision::f64);
}

/// Added up one by one in single precision these would be off by a third.
TEST(StreamDot, IsRightForLongArrays) {
  constexpr std::int64_t elements = 20'000'003;
  Arrays<float> arrays(elements);
  arrays.init({0, elements});
  const double right = elements * static_cast<double>(0.1f) * static_cast<double>(0.2f);
  EXPECT_LT(relative_error(arrays.dot({0, elements}), right), 10 * std::numeric_limits<float>::epsilon());
  float plain = 0.0f;
  for (std::int64_t i = 0; i < elements; ++i) plain += 0.1f * 0.2f;
  EXPECT_GT(relative_error(plain, right), 0.01);
}

TEST(CompensatedSumTest, KeepsWhatRoundingLoses) {
  CompensatedSum sum;
  double plain = 0.0;
  for (int i = 0; i < 1'000'000; ++i) {
    sum.add(0.1);
    plain += 0.1;
  }
  EXPECT_DOUBLE_EQ(sum.value(), 100000.0);
  EXPECT_GT(std::abs(plain - 100000.0), 1e-7);
}

TEST(CompensatedSumTest, TakesAnotherSumWithWhatItKeeps) {
  CompensatedSum parts[4], whole;
  for (int i = 0; i < 4000000; ++i) parts[i % 4].add(0.1);
  for (const auto& part : parts) whole.add(part);
  EXPECT_DOUBLE_EQ(whole.value(), 400000.0);
}

TEST(StretchTest, SharesEveryElementOnce) {
  for (const std::int64_t elements : {0, 1, 5, 1024, 1025, 1000003})
    for (const std::int64_t workers : {1, 2, 3, 64}) {
      std::int64_t end = 0;
      for (std::int64_t me = 0; me < workers; ++me) {
        const Range stretch = range_of_pages(elements, me, workers, 4);
        EXPECT_EQ(stretch.begin, end);
        EXPECT_GE(stretch.size(), 0);
        EXPECT_LE(stretch.size(), elements / workers + 2 * 1024);
        end = stretch.end;
      }
      EXPECT_EQ(end, elements);
    }
}

/// Memory of some size, behind caches.
class Sized : public MadeUp<float> {
 public:
  Sized(Memory memory, std::int64_t room) : MadeUp({}), memory_(memory), room_(room) {}
  Memory memory() override { return memory_; }
  std::string shortage(double bytes) override { return bytes > 12.0 * static_cast<double>(room_) ? "less" : ""; }

 private:
  Memory memory_;
  std::int64_t room_;
};

TEST(StreamSize, IsFourCachesOrWhatADeviceHasRoomFor) {
  constexpr std::int64_t plenty = std::int64_t{1} << 40, mib = 1 << 20;
  const auto chosen = [](Memory memory, std::int64_t room, std::optional<std::int64_t> asked = {},
                         Precision precision = Precision::f32) {
    Sized stream(memory, room);
    return choose_elements(stream, asked, precision);
  };
  EXPECT_EQ(chosen({.cache_bytes = 32 * mib}, plenty), 32 * mib);
  EXPECT_EQ(chosen({.cache_bytes = 32 * mib}, plenty, {}, Precision::f64), 16 * mib);
  EXPECT_EQ(chosen({.cache_bytes = 0}, plenty), 1 << 25);
  EXPECT_EQ(chosen({.cache_bytes = 32 * mib, .processors = 1}, plenty), 32 * mib);
  EXPECT_EQ(chosen({.cache_bytes = 480 * mib, .processors = 2}, plenty), 96 * mib);
  EXPECT_EQ(chosen({.cache_bytes = 480 * mib, .processors = 128}, plenty), 480 * mib);
  EXPECT_EQ(chosen({.of_device = true, .cache_bytes = 50 * mib}, plenty), 1 << 27);
  EXPECT_EQ(chosen({.of_device = true, .cache_bytes = 256 * mib}, plenty), 1 << 28);
  EXPECT_EQ(chosen({.of_device = true}, 1 << 26), 1 << 26);
  EXPECT_EQ(chosen({.of_device = true}, 40'000'000), 1 << 25);
  EXPECT_EQ(chosen({.cache_bytes = 32 * mib}, plenty, 7), 7);
  const auto refusal = [&](Memory memory, std::int64_t room, std::optional<std::int64_t> asked = {}) {
    try {
      chosen(memory, room, asked);
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), ExitStatus::unavailable);
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal({}, 1000, 1 << 28),
            "expected three arrays that fit the memory, found less for three arrays of 1 GiB each");
  for (const auto& memory : {Memory{.cache_bytes = 32 * mib}, Memory{.of_device = true}})
    EXPECT_TRUE(has(refusal(memory, 1 << 24), "expected memory for three arrays"));
}

}  // namespace
}  // namespace boltzmark::stream
