#include "analysis/report/flow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string_view>

#include "common/base/error.hpp"

namespace boltzmark {
namespace {

namespace fs = std::filesystem;

/// A text file of numbers, read line by line; a field may end in a colon.
class NumberFile {
 public:
  explicit NumberFile(fs::path file) : file_(std::move(file)) {
    std::ifstream in(file_, std::ios::binary);
    if (!in) throw bad_input("{}: expected a result file, found none that can be read", file_.string());
    text_.assign(std::istreambuf_iterator<char>(in), {});
    rest_ = text_;
  }

  /// The next line as N numbers.
  template <std::size_t N>
  std::array<double, N> next(const char* expected) {
    ++line_;
    const std::string_view line = rest_.substr(0, rest_.find('\n'));
    const char *at = line.data(), *const end = at + line.size();
    std::array<double, N> numbers{};
    for (double& number : numbers) {
      while (at != end && (*at == ' ' || *at == '\t' || *at == ':')) ++at;
      const auto [stop, error] = std::from_chars(at, end, number);
      if (error != std::errc{})
        throw bad_input("{}:{}: expected {}, found {}", file_.string(), line_, expected,
                        rest_.empty() ? "the end of the file" : fmt::format("\"{}\"", line.substr(0, 60)));
      at = stop;
    }
    rest_.remove_prefix(std::min(rest_.size(), line.size() + 1));
    return numbers;
  }

 private:
  fs::path file_;
  std::string text_;
  std::string_view rest_;
  long line_ = 0;
};

}  // namespace

std::string find_answer(const fs::path& folder, const FlowKey& key) {
  const std::string begin = fmt::format("{}-{}-", key.digest, key.steps), end = ".final_state.dat";
  std::string newest;
  fs::file_time_type date;
  std::error_code error;
  for (const auto& file : fs::directory_iterator(folder, error)) {
    const std::string name = file.path().filename().string();
    if (!name.starts_with(begin) || !name.ends_with(end)) continue;
    if (newest.empty() || file.last_write_time() > date) {
      date = file.last_write_time();
      newest = (folder / name.substr(0, name.size() - end.size())).string();
    }
  }
  return newest;
}

VelocityHistory read_history(const std::string& prefix, int steps, int most) {
  NumberFile file(prefix + ".av_vels.dat");
  const int stride = (steps + most - 1) / most;
  VelocityHistory history;
  for (int step = 0; step < steps; ++step) {
    const auto [number, value] = file.next<2>("a time step and its average velocity");
    if ((steps - 1 - step) % stride != 0) continue;
    history.steps.push_back(static_cast<int>(number));
    history.values.push_back(value);
  }
  return history;
}

FlowField read_field(const std::string& prefix, int nx, int ny, int most) {
  NumberFile file(prefix + ".final_state.dat");
  const int block = std::max(1, (std::max(nx, ny) + most - 1) / most);
  FlowField field;
  field.columns = (nx + block - 1) / block;
  field.rows = (ny + block - 1) / block;
  const auto blocks = static_cast<std::size_t>(field.columns) * field.rows;
  std::vector<double> ux(blocks), uy(blocks), fluid(blocks), cells(blocks);
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x) {
      const auto cell = file.next<7>("x y u_x u_y |u| pressure obstacle");
      const auto i = static_cast<std::size_t>(y / block) * field.columns + x / block;
      cells[i] += 1.0;
      if (cell[6] != 0.0) continue;
      fluid[i] += 1.0;
      ux[i] += cell[2];
      uy[i] += cell[3];
    }
  for (std::size_t i = 0; i < blocks; ++i) {
    const double share = fluid[i] > 0.0 ? 1.0 / fluid[i] : 0.0;
    field.ux.push_back(static_cast<float>(ux[i] * share));
    field.uy.push_back(static_cast<float>(uy[i] * share));
    field.obstacle.push_back(static_cast<float>(1.0 - fluid[i] / cells[i]));
  }
  return field;
}

std::string planes_of(const FlowField& field) {
  std::string bytes;
  for (const auto* plane : {&field.ux, &field.uy, &field.obstacle})
    for (const float value : *plane) {
      const auto bits = std::bit_cast<std::uint32_t>(value);
      for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>(bits >> shift & 0xff));
    }
  return bytes;
}

}  // namespace boltzmark
