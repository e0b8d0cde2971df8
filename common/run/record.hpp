// The record of a finished run: one JSON object, a line of the file that --json names. This header describes, writes
// and reads it; other formats are refused.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/run/calls.hpp"
#include "common/run/counters.hpp"
#include "common/run/energy.hpp"
#include "common/run/environment.hpp"
#include "common/run/json.hpp"
#include "common/run/provenance.hpp"
#include "common/run/settings.hpp"
#include "common/run/traffic.hpp"

namespace boltzmark {

inline constexpr int record_format = 2;
inline constexpr std::size_t most_repeats_kept = 200;  ///< in a record

/// Wall-clock seconds of one repeat; with ranks, of the slowest.
struct Timing {
  double init_seconds = 0.0;     ///< from making the variant to the start of the timed part
  double compute_seconds = 0.0;  ///< the timed part, until its results are on the host
  /// Until all results to be checked or written are on the root; about 0 where nothing is to be. A repeat that is not
  /// checked has that of the last one before it.
  double collate_seconds = 0.0;
  double total() const { return init_seconds + compute_seconds + collate_seconds; }
};
BOLTZMARK_JSON(Timing)

/// The case.
struct CaseRecord {
  std::string name;                  ///< "128x128" for input_128x128.params; a size for a workload without files
  std::string digest;                ///< equal for equal cases, whatever their files are called
  std::vector<std::int64_t> extent;  ///< cells or elements along each axis: [nx, ny]; [elements]
  nlohmann::json facts;              ///< object: further parameters of the workload, e.g. omega
  std::string size = "";             ///< size for which options are tuned (Workload::size)
};
void to_json(nlohmann::json& json, const CaseRecord& one);
/// Absent in older records: `size`.
void from_json(const nlohmann::json& json, CaseRecord& one);

/// Work of a repeat, counted by the algorithm and not by the hardware.
struct WorkFields {
  std::string update;                                        ///< unit of the count: "update" of a cell, "element"
  double updates = 0.0;                                      ///< in a repeat
  double bytes_per_update = 0.0;                             ///< moved to and from memory
  double flops_per_update = 0.0;                             ///< counted by running the code on a counting type
  std::optional<double> conventional_flops_per_update = {};  ///< the figure that published work uses; null: none
  double bytes_held = 0.0;                                   ///< of the case's data, padding not counted
  std::int64_t steps_per_launch = 1;                         ///< time steps in one launch, region or sweep
};
BOLTZMARK_JSON(WorkFields)
struct WorkRecord : WorkFields {
  /// Counted operations of each kind, even those among the FLOPs. Absent if there are none, and in older records.
  Operations operations_per_update;
  /// Empty in older records.
  Traffic traffic;
};
void to_json(nlohmann::json& json, const WorkRecord& work);
void from_json(const nlohmann::json& json, WorkRecord& work);

BOLTZMARK_JSON(Calls)

/// A part of every repeat that is timed separately, such as a kernel of STREAM; a workload of one part has no parts.
struct Part {
  std::string name;
  double bytes = 0.0;                        ///< of one execution, by the algorithm's count
  double bytes_moved = 0.0;                  ///< for hardware that reads a line before it writes it; else the same
  double flops = 0.0;                        ///< of one execution
  std::vector<double> seconds;               ///< of every timed execution in order
  double bytes_held = 0.0;                   ///< of the data that it passes over; 0 in older records: of all data
  std::optional<double> bytes_written = {};  ///< of those moved; null where not known, as in older records
};
BOLTZMARK_JSON(Part)

/// A figure of the workload, for the median of the repeats' compute seconds.
struct Metric {
  std::string name;             ///< "mlups"
  std::string unit;             ///< "MLUPS"
  std::optional<double> value;  ///< null if it is not finite
};
BOLTZMARK_JSON(Metric)

/// A relative deviation from the reference, the largest of all repeats.
struct Deviation {
  std::string of;               ///< "av_vels"
  std::optional<double> value;  ///< null if it is NaN
  std::string at = {};          ///< place: "step 312", "cell 5 7"; "" for a value of the whole run
};

/// Number of elements of a result (cells, points, bodies) that a check compared.
struct Extent {
  std::int64_t checked = 0;               ///< compared one by one; 0: only sums over all
  std::int64_t of = 0;                    ///< elements of the result
  std::optional<std::int64_t> seed = {};  ///< seed of the sample, if not all were checked

  static Extent all_of(std::int64_t elements) { return {elements, elements}; }
  /// "all of 262144", "1024 of 262144, drawn by seed 7", "sums over all of 262144".
  std::string words() const;
};

struct CheckFields {
  std::string against = "none";     ///< "oracle", a file prefix, or "none"
  std::optional<bool> passed = {};  ///< null without a check
  double tolerance = 0.0;           ///< largest deviation that counts as right
  std::vector<Deviation> deviations = {};
};
/// How results were checked.
struct Check : CheckFields {
  std::optional<Extent> extent;         ///< absent without a check, and in older records
  std::optional<std::int64_t> repeats;  ///< checked ones; absent if all were

  /// Takes the deviations of one repeat, keeps the worst of each quantity, and decides whether the check passed.
  void take(const std::vector<Deviation>& found);
  /// The worst deviation: NaN if there is one, else the largest. Requires a check.
  const Deviation& worst() const;
  /// "speed deviates by 1.20e-01 from oracle in cell 5 7, where 1e-05 is allowed": the worst deviation. Requires a
  /// check.
  std::string worst_words() const;
};

void to_json(nlohmann::json& json, const Deviation& deviation);
/// Absent in older records: `at`.
void from_json(const nlohmann::json& json, Deviation& deviation);
void to_json(nlohmann::json& json, const Extent& extent);
void from_json(const nlohmann::json& json, Extent& extent);
BOLTZMARK_JSON(CheckFields)
void to_json(nlohmann::json& json, const Check& check);
void from_json(const nlohmann::json& json, Check& check);
BOLTZMARK_JSON(EnergyRecord)
BOLTZMARK_JSON(CounterRecord)
BOLTZMARK_JSON(Provenance)
/// An object.
nlohmann::json json_of(const Settings& settings);

/// The fields that are in JSON as they are here.
struct RecordFields {
  int format = record_format;
  std::string workload, model, variant;
  std::string role;        ///< of the variant: "textbook", "like-for-like", "peer" or ""
  std::string precision;   ///< "f32" or "f64"
  std::int64_t steps = 1;  ///< time steps per repeat; 1 if there are none
  std::string device, device_type, driver;
  int threads = 1;  ///< per rank; 0 if the device decides
  int ranks = 1;
  bool write_allocate = true;    ///< whether the hardware reads lines before it writes them
  nlohmann::json settings;       ///< object: of the model, e.g. work_group, tuned
  int warm_up_runs = 0;          ///< untimed, before the first repeat
  std::vector<Timing> repeats;   ///< timed ones in order: all, or those that thinned() keeps
  double compute_seconds = 0.0;  ///< median of the repeats'
  WorkRecord work;
  std::vector<Part> parts;
  std::vector<Metric> metrics;  ///< the first is the rate
  Check check;
  Provenance provenance;
};
BOLTZMARK_JSON(RecordFields)

struct Record : RecordFields {
  CaseRecord case_;  ///< "case" in JSON
  /// Options and arguments as given: name without dashes, text ("" for a flag). Absent in older records.
  std::map<std::string, std::string> asked;
  EnergyRecord energy;                    ///< absent in older records, as is the next
  RunEnvironment environment;             ///< of the root, unless a field says otherwise
  std::optional<CounterRecord> counters;  ///< absent unless asked for
  std::optional<Calls> calls;             ///< of the last repeat; absent if the model counts none
  std::optional<int> timed_repeats;       ///< their number before thinned(); absent if all are kept

  double gb_per_s() const { return 1e-9 * work.bytes_per_update * work.updates / compute_seconds; }
  double gflop_per_s() const { return 1e-9 * work.flops_per_update * work.updates / compute_seconds; }
  /// Value of a metric; empty if there is none of that name or it is not finite.
  std::optional<double> metric(const std::string& name) const;
  /// The same without disturbed repeats (RepeatState); older records name none.
  Record undisturbed() const;
  /// The same with at most most_repeats_kept repeats: the last one, the shortest and the longest, the middle of all, so
  /// that the median is the same, and between them as many as are left at equal distances in the order of their lengths.
  /// With parts all are kept, because each part has a median of its own.
  Record thinned() const;
  /// Medians over the repeats, each phase by itself.
  Timing median_timing() const;
};

void to_json(nlohmann::json& json, const Record& record);
/// Throws std::exception with the fault: another format, or a field that is missing or of another type.
void from_json(const nlohmann::json& json, Record& record);

}  // namespace boltzmark
