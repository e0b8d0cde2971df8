#include "common/lbm/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <fstream>
#include <iterator>
#include <span>
#include <vector>

#include "common/base/digest.hpp"
#include "common/base/error.hpp"
#include "common/base/files.hpp"
#include "common/base/text.hpp"

namespace boltzmark::lbm {
namespace {

namespace fs = std::filesystem;

using Shape = std::vector<std::int64_t>;

constexpr const char *state_ending = ".final_state.npy", *averages_ending = ".av_vels.npy", *digest_ending = ".digest";

/// Header of a file of doubles of this shape (NumPy's format 1.0): fields, then rows, then cells.
std::string npy_header(const Shape& shape) {
  std::string text = fmt::format("{{'descr': '{}f8', 'fortran_order': False, 'shape': ({}{}), }}",
                                 std::endian::native == std::endian::little ? '<' : '>', fmt::join(shape, ", "),
                                 shape.size() == 1 ? "," : "");
  constexpr std::size_t before = 10, alignment = 64;  // mark, version and length; where numbers may begin
  text.append(alignment - 1 - (before + text.size()) % alignment, ' ');
  text += '\n';
  const char length[] = {static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
  return std::string("\x93NUMPY\x01\0", 8) + std::string(length, 2) + text;
}

void write_doubles(AtomicFile& file, std::span<const double> values) {
  file.write({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
}

/// A file that must have this header and end with its last number.
class DoublesFile {
 public:
  DoublesFile(const fs::path& file, const Shape& shape) : file_(file), in_(file, std::ios::binary) {
    if (!in_) throw bad_input("{}: expected a reference, found no file that can be read", file.string());
    const std::string expected = npy_header(shape);
    std::string found(expected.size(), '\0');
    in_.read(found.data(), static_cast<std::streamsize>(found.size()));
    if (!in_ || found != expected)
      throw bad_input("{}: expected an array of {} numbers, found something else", file.string(),
                      fmt::join(shape, " x "));
  }

  void read(std::span<double> values) {
    read_any(values);
    for (const double value : values)
      if (!std::isfinite(value)) throw bad_input("{}: expected finite numbers, found {}", file_.string(), value);
  }
  void read_any(std::span<double> values) {
    in_.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(values.size_bytes()));
    if (!in_) throw bad_input("{}: expected more numbers, found the end of the file", file_.string());
  }
  void expect_end() {
    if (in_.peek() != std::ifstream::traits_type::eof())
      throw bad_input("{}: expected the end of the file after its numbers, found more", file_.string());
  }

 private:
  fs::path file_;
  std::ifstream in_;
};

Shape shape_of_state(const Problem& problem) {
  const Parameters& p = problem.parameters;
  if (p.dimension == 2) return {4, p.ny, p.nx};
  return {5, p.nz, p.ny, p.nx};
}

std::vector<double> solid_of(const Problem& problem) {
  const auto mask = problem.solid_mask();
  return {mask.begin(), mask.end()};
}

/// One line for the digests of both files.
std::string digests_of(const std::string& prefix) {
  return digest_of_file(prefix + state_ending) + ' ' + digest_of_file(prefix + averages_ending) + '\n';
}

}  // namespace

void write_answer(const std::string& prefix, const Problem& problem, const Answer& answer) {
  const State& state = answer.state;
  AtomicFile final_state(prefix + state_ending), av_vels(prefix + averages_ending);
  final_state.write(npy_header(shape_of_state(problem)));
  for (const auto* field : {&state.ux, &state.uy, &state.uz, &state.density})
    write_doubles(final_state, *field);  // u_z is empty in two dimensions
  write_doubles(final_state, solid_of(problem));
  av_vels.write(npy_header({static_cast<std::int64_t>(answer.av_vels.size())}));
  write_doubles(av_vels, answer.av_vels);
  final_state.finish();
  av_vels.finish();
  final_state.commit();
  av_vels.commit();
  AtomicFile digests(prefix + digest_ending);
  digests.write(digests_of(prefix));
  digests.commit();
}

AnswerState state_of_answer(const std::string& prefix) {
  const auto is_there = [&](const char* ending) { return fs::exists(prefix + ending); };
  if (!is_there(state_ending) && !is_there(averages_ending)) return AnswerState::absent;
  if (!is_there(state_ending) || !is_there(averages_ending)) return AnswerState::damaged;
  std::ifstream in(prefix + digest_ending);
  const std::string written{std::istreambuf_iterator<char>(in), {}};
  return written == digests_of(prefix) ? AnswerState::whole : AnswerState::damaged;
}

bool has_kept_answer(const std::string& prefix) { return fs::exists(prefix + state_ending); }

Answer read_kept_answer(const std::string& prefix, const Problem& problem, int steps) {
  Answer answer;
  answer.av_vels.resize(static_cast<std::size_t>(steps));
  DoublesFile averages(prefix + averages_ending, {steps});
  averages.read_any(answer.av_vels);
  averages.expect_end();
  const auto step = std::ranges::find_if_not(answer.av_vels, [](double one) { return std::isfinite(one); });
  if (step != answer.av_vels.end())
    throw bad_input("{}: the run is unstable: the average velocity after step {} is not a number", problem.name,
                    step - answer.av_vels.begin());
  DoublesFile file(prefix + state_ending, shape_of_state(problem));
  State& state = answer.state;
  state.resize(problem.cells(), problem.parameters.dimension);
  std::vector<double> solid(state.ux.size());
  for (auto* field : {&state.ux, &state.uy, &state.uz, &state.density, &solid}) file.read(*field);
  file.expect_end();
  if (solid != solid_of(problem))
    throw bad_input("{}: expected the obstacles of {}, found others", prefix + state_ending, problem.name);
  return answer;
}

}  // namespace boltzmark::lbm
