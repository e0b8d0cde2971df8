// The flow itself: average velocity over time and the final field, from the right answers in a results
// folder.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace boltzmark {

/// Which answer: a problem, and how far it was solved.
struct FlowKey {
  std::string problem, digest;
  int nx = 0, ny = 0, steps = 0;
};

/// Average velocity of time steps, lattice units; thinned out evenly to at most `most` of them, the last one
/// kept.
struct VelocityHistory {
  std::vector<int> steps;
  std::vector<double> values;
};

/// A field on the blocks that the grid's cells are averaged over; index column + row * columns.
struct FlowField {
  int columns = 0, rows = 0;
  std::vector<float> ux,
      uy;  ///< mean velocity of a block's fluid cells, lattice units; 0 where there are none
  std::vector<float> obstacle;  ///< share of a block's cells that are obstacles
};

/// File prefix of the newest answer in `folder` for this problem and number of steps, "" when there is none.
std::string find_answer(const std::filesystem::path& folder, const FlowKey& key);

/// Reads PREFIX.av_vels.dat. Throws Error (bad_input) with file, line, expected and found.
VelocityHistory read_history(const std::string& prefix, int steps, int most);

/// Reads PREFIX.final_state.dat onto at most `most` columns and rows. Throws as above.
FlowField read_field(const std::string& prefix, int nx, int ny, int most);

/// The three planes one after another, float32, little endian.
std::string planes_of(const FlowField& field);

}  // namespace boltzmark
