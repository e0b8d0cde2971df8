#include "analysis/report/published.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <functional>
#include <stdexcept>

#include "analysis/support/json_reader.hpp"

namespace boltzmark {
namespace {

double positive(ObjectReader& in, const std::string& key) {
  const double value = in.number(key);
  if (!(value > 0.0)) in.fail(key, "a number above zero", fmt::format("{}", value));
  return value;
}

std::optional<double> positive_or_null(ObjectReader& in, const std::string& key) {
  return in.number_or_null(key) ? std::optional(positive(in, key)) : std::nullopt;
}

int positive_integer(ObjectReader& in, const std::string& key) {
  const std::int64_t value = in.integer(key);
  if (value < 1 || value > INT_MAX) in.fail(key, "an integer of at least 1", std::to_string(value));
  return static_cast<int>(value);
}

/// The objects of a list that must not be empty.
std::vector<ObjectReader> some_objects(ObjectReader& in, const std::string& key) {
  auto readers = in.objects(key);
  if (readers.empty()) in.fail(key, "a list of at least one object", in.has(key) ? "none" : "nothing");
  return readers;
}

/// The element with that text in that field.
template <class T>
const T* find(const std::vector<T>& elements, std::string T::*field, const std::string& text) {
  const auto at = std::find_if(elements.begin(), elements.end(),
                               [&](const T& element) { return element.*field == text; });
  return at == elements.end() ? nullptr : &*at;
}

/// An id of its own: not that of an element before.
template <class T>
std::string new_id(ObjectReader& in, const std::string& key, const std::vector<T>& before,
                   std::string T::*field) {
  const std::string id = in.text(key);
  if (find(before, field, id)) in.fail(key, "an id that is not used before", '"' + id + '"');
  return id;
}

/// An id of an element of this list.
template <class T>
std::string known_id(ObjectReader& in, const std::string& key, const std::vector<T>& elements,
                     std::string T::*field) {
  const std::string id = in.text(key);
  if (find(elements, field, id)) return id;
  std::string ids;
  for (const T& element : elements) ids += (ids.empty() ? "" : ", ") + element.*field;
  in.fail(key, "one of " + ids, '"' + id + '"');
}

std::string hardware_id(ObjectReader& in, const Published& published) {
  return known_id(in, "hardware", published.hardware, &Hardware::id);
}
std::string problem_name(ObjectReader& in, const Published& published) {
  return known_id(in, "problem", published.problems, &StandardProblem::name);
}

Origin read_origin(ObjectReader& in, const Published& published) {
  return {known_id(in, "source", published.sources, &Source::id), in.text("part")};
}

SecondsByProblem read_seconds(ObjectReader& in, const Published& published) {
  ObjectReader object = in.object("seconds");
  SecondsByProblem seconds;
  for (const StandardProblem& problem : published.problems)
    if (const auto value = positive_or_null(object, problem.name)) seconds[problem.name] = *value;
  object.finish();
  if (seconds.empty()) in.fail("seconds", "those of at least one problem", "none");
  return seconds;
}

void read_source(ObjectReader in, Published& published) {
  Source source;
  source.id = new_id(in, "id", published.sources, &Source::id);
  source.author = in.text("author");
  source.title = in.text("title");
  source.kind = in.text("kind");
  source.year = in.count("year");
  in.finish();
  published.sources.push_back(std::move(source));
}

void read_hardware(ObjectReader in, Published& published) {
  Hardware hardware;
  hardware.id = new_id(in, "id", published.hardware, &Hardware::id);
  hardware.name = in.text("name");
  hardware.type = in.text("type");
  if (hardware.type != "cpu" && hardware.type != "gpu")
    in.fail("type", "\"cpu\" or \"gpu\"", '"' + hardware.type + '"');
  hardware.details = in.text("details", "");
  hardware.stream_gb_per_s = positive_or_null(in, "stream_gb_per_s");
  hardware.ridge_flop_per_byte = positive_or_null(in, "ridge_flop_per_byte");
  in.finish();
  published.hardware.push_back(std::move(hardware));
}

void read_problem(ObjectReader in, Published& published) {
  StandardProblem problem;
  problem.name = new_id(in, "name", published.problems, &StandardProblem::name);
  problem.digest = in.text("digest");
  problem.nx = positive_integer(in, "nx");
  problem.ny = positive_integer(in, "ny");
  problem.iterations = positive_integer(in, "iterations");
  problem.reynolds_dim = positive_integer(in, "reynolds_dim");
  problem.density = positive(in, "density");
  problem.accel = positive(in, "accel");
  problem.omega = positive(in, "omega");
  problem.fluid_cells = positive_integer(in, "fluid_cells");
  in.finish();
  published.problems.push_back(std::move(problem));
}

void read_stream(ObjectReader in, Published& published) {
  PublishedStream& stream = published.stream;
  stream.origin = read_origin(in, published);
  stream.hardware = hardware_id(in, published);
  stream.first_model = in.text("first_model");
  stream.second_model = in.text("second_model");
  for (ObjectReader& row : some_objects(in, "kernels")) {
    PublishedStream::Kernel kernel;
    kernel.name = new_id(row, "name", stream.kernels, &PublishedStream::Kernel::name);
    kernel.first_seconds = positive(row, "first_seconds");
    kernel.second_seconds = positive(row, "second_seconds");
    kernel.slower_percent = row.number("slower_percent");
    row.finish();
    stream.kernels.push_back(std::move(kernel));
  }
  in.finish();
}

void read_steps(ObjectReader in, Published& published) {
  PublishedSteps& steps = published.steps;
  steps.origin = read_origin(in, published);
  steps.hardware = hardware_id(in, published);
  steps.model = in.text("model");
  for (ObjectReader& row : some_objects(in, "steps")) {
    PublishedSteps::Step step;
    step.name = new_id(row, "name", steps.steps, &PublishedSteps::Step::name);
    step.variant = new_id(row, "variant", steps.steps, &PublishedSteps::Step::variant);
    step.changes = row.text("changes");
    step.seconds = read_seconds(row, published);
    row.finish();
    steps.steps.push_back(std::move(step));
  }
  in.finish();
}

PublishedRuns read_runs_of(ObjectReader in, const Published& published) {
  PublishedRuns runs;
  runs.origin = read_origin(in, published);
  for (ObjectReader& row : some_objects(in, "runs")) {
    PublishedRun run;
    run.label = new_id(row, "label", runs.runs, &PublishedRun::label);
    run.model = row.text("model");
    run.hardware = hardware_id(row, published);
    run.remark = row.text("remark", "");
    run.seconds = read_seconds(row, published);
    row.finish();
    runs.runs.push_back(std::move(run));
  }
  in.finish();
  return runs;
}

void read_rates(ObjectReader in, Published& published) {
  PublishedRates& rates = published.rates;
  rates.origin = read_origin(in, published);
  rates.problem = problem_name(in, published);
  for (ObjectReader& reader : some_objects(in, "rows")) {
    PublishedRates::Row row;
    row.label = new_id(reader, "label", rates.rows, &PublishedRates::Row::label);
    row.model = reader.text("model");
    row.hardware = hardware_id(reader, published);
    row.flops_per_update = positive(reader, "flops_per_update");
    row.gb_per_s = positive(reader, "gb_per_s");
    row.gflop_per_s = positive(reader, "gflop_per_s");
    row.flop_per_byte = positive(reader, "flop_per_byte");
    reader.finish();
    rates.rows.push_back(std::move(row));
  }
  in.finish();
}

void read_work_groups(ObjectReader in, Published& published) {
  PublishedWorkGroups& groups = published.work_groups;
  groups.origin = read_origin(in, published);
  groups.problem = problem_name(in, published);
  groups.model = in.text("model");
  for (ObjectReader& row : some_objects(in, "points")) {
    PublishedWorkGroups::Point point;
    point.hardware = hardware_id(row, published);
    point.x = positive_integer(row, "x");
    point.y = positive_integer(row, "y");
    point.seconds = positive_or_null(row, "seconds");
    point.remark = row.text("remark", "");
    row.finish();
    groups.points.push_back(std::move(point));
  }
  in.finish();
}

void read_figure(ObjectReader in, Published& published) {
  PublishedFigure figure;
  figure.source = known_id(in, "source", published.sources, &Source::id);
  figure.group = in.text("group");
  figure.what = in.text("what");
  if (in.has("hardware")) figure.hardware = hardware_id(in, published);
  figure.value = in.number("value");
  figure.unit = in.text("unit");
  figure.remark = in.text("remark", "");
  in.finish();
  published.figures.push_back(std::move(figure));
}

/// What an id of the file stands for; the file has been checked, so an unknown one is a fault of the program.
template <class T>
const T& need(const std::vector<T>& elements, std::string T::*field, const std::string& id) {
  if (const T* const element = find(elements, field, id)) return *element;
  throw std::out_of_range(fmt::format("\"{}\" is not in published.json", id));
}

}  // namespace

std::string Source::citation() const {
  const std::string when = year ? fmt::format(", {}", *year) : "";
  const std::string by = author == title ? "" : author + ", ";
  return fmt::format("{}{} ({}{})", by, title, kind, when);
}

std::string Hardware::description() const {
  const std::string bandwidth = stream_gb_per_s ? fmt::format("STREAM {} GB/s", *stream_gb_per_s) : "";
  const std::string both = details + (details.empty() || bandwidth.empty() ? "" : "; ") + bandwidth;
  return both.empty() ? name : fmt::format("{} ({})", name, both);
}

const Source& Published::source(const std::string& id) const { return need(sources, &Source::id, id); }
const Hardware& Published::device(const std::string& id) const { return need(hardware, &Hardware::id, id); }
const StandardProblem& Published::problem(const std::string& name) const {
  return need(problems, &StandardProblem::name, name);
}
std::string Published::citation(const Origin& origin) const {
  return fmt::format("{} of {}", origin.part, source(origin.source).citation());
}

Published read_published(const std::filesystem::path& file) {
  const nlohmann::json content = load_json(file);
  ObjectReader in(content, file.string(), "");
  const std::int64_t format = in.integer("format");
  if (format != published_format)
    in.fail("format", fmt::format("version {} of published.json", published_format), std::to_string(format));
  Published published;
  for (ObjectReader& source : some_objects(in, "sources")) read_source(source, published);
  for (ObjectReader& hardware : some_objects(in, "hardware")) read_hardware(hardware, published);
  for (ObjectReader& problem : some_objects(in, "problems")) read_problem(problem, published);
  read_stream(in.object("stream"), published);
  read_steps(in.object("optimisation_steps"), published);
  published.models = read_runs_of(in.object("models"), published);
  read_rates(in.object("rates"), published);
  read_work_groups(in.object("work_groups"), published);
  for (ObjectReader& times : some_objects(in, "best_times"))
    published.best_times.push_back(read_runs_of(times, published));
  for (ObjectReader& figure : some_objects(in, "figures")) read_figure(figure, published);
  in.finish();
  return published;
}

}  // namespace boltzmark
