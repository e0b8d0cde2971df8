// The results folder: nothing is lost, nothing is glued to half a line.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "analysis/store/store.hpp"
#include "common/base/error.hpp"
#include "common/base/text.hpp"
#include "entries.hpp"
#include "programs.hpp"

namespace boltzmark {
namespace {

using namespace boltzmark::testing;
using nlohmann::json;
namespace fs = std::filesystem;

TEST(StoreTest, RemembersTheNewestEntryOfEveryKey) {
  TemporaryFolder folder;
  {
    Store store(folder.path, false);
    store.add(failed("serial", "fused", 1, RunStatus::failed));
    store.add(entry("serial", "fused", 1, {0.5}));
    store.add(entry("serial", "fused", 1, {0.5}));  // says nothing new
    store.add(failed("serial", "fused", 2, RunStatus::timeout));
  }
  EXPECT_EQ(read_runs(folder / "runs.jsonl").entries.size(), 3u);
  Store store(folder.path, false);
  EXPECT_TRUE(store.complaints().empty());
  RunKey key = entry("serial", "fused", 1, {}).key;
  EXPECT_TRUE(is_final(store.find(key)));
  EXPECT_EQ(store.find(key)->to_json(), entry("serial", "fused", 1, {0.5}).to_json());
  key.round = 2;
  EXPECT_FALSE(is_final(store.find(key)));
  key.round = 3;
  EXPECT_EQ(store.find(key), nullptr);
}

TEST(StoreTest, EveryPartOfTheKeyCounts) {
  const RunKey key = entry("serial", "fused", 1, {}).key;
  const json whole = key.to_json();
  for (const auto& item : whole.items()) {
    json changed = whole;
    json& value = changed[item.key()];
    if (value.is_string())
      value = "other";
    else if (value.is_boolean())
      value = !value.get<bool>();
    else if (value.is_array())
      value.push_back("other");
    else
      value = value.get<int>() + 1;
    EXPECT_NE(RunKey::from_json(changed).identity(), key.identity()) << item.key();
  }
}

TEST(StoreTest, CutsOffAnUnfinishedLastLineOnce) {
  TemporaryFolder folder;
  { Store(folder.path, false).add(entry("serial", "fused", 1, {0.5})); }
  const std::string whole = read_text(folder / "runs.jsonl");
  write_text(folder / "runs.jsonl", whole + whole.substr(0, whole.size() / 2));
  {
    Store store(folder.path, false);
    ASSERT_EQ(store.complaints().size(), 1u);
    EXPECT_EQ(store.complaints()[0], (folder / "runs.jsonl").string() +
                                         ":2: expected a whole line, found that the last one is cut off; its run is "
                                         "ignored, and repeated by the next call");
    store.add(entry("serial", "fused", 2, {0.5}));
  }
  Store store(folder.path, false);
  EXPECT_TRUE(store.complaints().empty());
  EXPECT_EQ(read_runs(folder / "runs.jsonl").entries.size(), 2u);
}

/// As of a loop that is changed, found wrong, and changed back: the program of before is not run again.
TEST(StoreTest, ABuildThatIsUsedAgainIsTheLatest) {
  TemporaryFolder folder;
  RunEntry before = entry("serial", "fused", 1, {0.5}), changed = before;
  changed.key.program = "other";
  changed.status = RunStatus::wrong;
  Store store(folder.path, false);
  for (const RunEntry& one : {before, changed, before, before}) store.add(one);
  EXPECT_EQ(read_runs(folder / "runs.jsonl").entries.size(), 3u);
  ASSERT_EQ(read_results(folder.path).entries.size(), 1u);
  EXPECT_EQ(read_results(folder.path).entries.front().status, RunStatus::ok);
}

TEST(StoreTest, ComplainsOfABrokenLineAndGoesOn) {
  TemporaryFolder folder;
  { Store(folder.path, false).add(entry("serial", "fused", 1, {0.5})); }
  const std::string whole = read_text(folder / "runs.jsonl");
  json large = json::parse(whole), fraction = large;
  large["exit_status"] = 1e308;  // no int holds it
  fraction["key"]["threads"] = 1.5;
  write_text(folder / "runs.jsonl", "half a line\n{}\n" + large.dump() + "\n" + fraction.dump() + "\n" + whole);
  Store store(folder.path, false);
  ASSERT_EQ(store.complaints().size(), 4u);
  for (int line = 1; line <= 4; ++line)
    EXPECT_TRUE(store.complaints()[static_cast<std::size_t>(line) - 1].starts_with(
        (folder / "runs.jsonl").string() + ":" + std::to_string(line) +
        ": expected a finished run, found something else"))
        << store.complaints()[static_cast<std::size_t>(line) - 1];
  EXPECT_TRUE(has(store.complaints()[2], "exit_status: expected an integer, found 1e+308"));
  EXPECT_TRUE(has(store.complaints()[3], "key/threads: expected an integer, found 1.5"));
  EXPECT_TRUE(is_final(store.find(entry("serial", "fused", 1, {}).key)));
}

/// Even if the rest could be read: figures would lack runs.
TEST(ResultsFiles, OfOtherVersionsAreRefused) {
  TemporaryFolder folder;
  const json line = entry("serial", "fused", 1, {0.5}).to_json();
  json newer = line, of_record = line;
  newer["format"] = of_record["record"]["format"] = 99;
  for (const json& other : {newer, of_record, of_record["record"], json{{"shared", 99}, {"peaks", nullptr}}}) {
    write_text(folder / "runs.jsonl", line.dump() + '\n' + other.dump() + '\n');
    const auto refused = [&](const auto& read) {
      try {
        read();
        ADD_FAILURE() << other;
      } catch (const Error& error) {
        EXPECT_EQ(error.status(), ExitStatus::bad_input);
        EXPECT_TRUE(has(error.what(), "runs.jsonl:2: expected ") && has(error.what(), "found one of format 99;"))
            << error.what();
      }
    };
    refused([&] { read_results(folder / "runs.jsonl"); });
    if (!other.contains("key")) continue;
    refused([&] { read_results(folder.path); });
    refused([&] { Store(folder.path, false); });
  }
}

TEST(ResultsFiles, OfOtherKindsAreNamedInOneLine) {
  TemporaryFolder folder;
  const fs::path file = folder / "file";
  const json record = *entry("serial", "fused", 1, {0.5}).record;
  const auto found = [&](const std::string& content) {
    write_text(file, content);
    std::string line;
    try {
      read_results(file);
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), ExitStatus::bad_input);
      line = error.what();
    }
    EXPECT_TRUE(line.starts_with(file.string() + ": expected ")) << line;
    for (const char* library_word : {"json.exception", "parse error", "syntax", "\n"})
      EXPECT_FALSE(has(line, library_word)) << line;
    return line;
  };
  const std::string expected = ": expected a results folder, or a file that --json or `boltzmark share` wrote, found ";
  for (const auto& [content, kind] : std::vector<std::pair<std::string, std::string>>{
           {"function,num_times,n_elements,sizeof,max_mbytes_per_sec\nCopy,1,2,8,3\n", "BabelStream's CSV"},
           {"{\n \"context\": {},\n \"benchmarks\": []\n}\n", "Google Benchmark's JSON"},
           {"source,workload,model\nruns,lbm,serial\n", "a table of figures, which is made from records"},
           {"a,b,c\n1,2,3\n", "a table of values between commas"},
           {json(Peaks()).dump(1), "measured peaks (peaks.json), which are read with their folder"},
           {R"({"runs": [{"model": "*"}]})", "a plan"},
           {"[1, 2]", "JSON that is no object"},
           {"Hello\n", "a text that is no JSON"},
           {std::string("\x7f"
                        "ELF\0\0",
                        6),
            "a binary file"},
           {"\n", "an empty file"}})
    EXPECT_EQ(found(content), file.string() + expected + kind);
  EXPECT_TRUE(has(found(record.dump().substr(0, 200)), "one that is cut off"));
  EXPECT_TRUE(has(found("{}"), "key 'format' not found"));
}

TEST(ResultsFiles, HaveNoControlCharactersForATerminal) {
  TemporaryFolder folder;
  RunEntry e = entry("serial", "fused", 1, {0.5});
  const std::string bad = "a\x1b[31mb\u202ec\u009bd\ne";
  e.reason = e.case_name = e.key.variant = e.record->device = e.record->case_.name = bad;
  e.record->settings["cards"] = {bad};
  Peaks peaks;
  peaks.processor.notes = {bad};
  write_text(folder / "runs.jsonl", e.to_json().dump() + '\n');
  write_text(folder / "peaks.json", json(peaks).dump());
  const Results read = read_results(folder.path);
  std::string shown = read.peaks.value().processor.notes.at(0);
  shown += read.entries.at(0).to_json().dump();
  EXPECT_EQ(count_of(shown, "a?[31mb?c?d?e"), 7);
  // As it is written if its key decides whether it is repeated.
  EXPECT_EQ(read_runs(folder / "runs.jsonl").entries.at(0).key.identity(), e.key.identity());
  EXPECT_EQ(one_line(bad, "\n"), "a?[31mb?c?d\ne");
  EXPECT_EQ(one_line("é – ☺ \u2029\u2069\u200f."), "é – ☺ ???.");
}

TEST(StoreTest, AFolderInPlaceOfTheFileIsNamed) {
  TemporaryFolder folder;
  fs::create_directory(folder / "runs.jsonl");
  EXPECT_EQ(error_of([&] { Store(folder.path, false); }),
            (folder / "runs.jsonl").string() + ": expected a file of finished runs, found a folder");
}

TEST(StoreTest, APipeInPlaceOfTheFileIsNotWaitedFor) {
  TemporaryFolder folder;
  ASSERT_EQ(mkfifo((folder / "runs.jsonl").c_str(), 0600), 0);
  EXPECT_EQ(error_of([&] { Store(folder.path, false); }),
            (folder / "runs.jsonl").string() + ": expected a file of finished runs, found a pipe");
  EXPECT_EQ(error_of([&] { read_results(folder / "runs.jsonl"); }),
            (folder / "runs.jsonl").string() + ": expected a results folder or a file of records, found a pipe");
}

TEST(StoreTest, StartsAfreshWithoutDeleting) {
  TemporaryFolder folder;
  { Store(folder.path, false).add(entry("serial", "fused", 1, {0.5})); }
  const std::string before = read_text(folder / "runs.jsonl");
  for (int i = 0; i < 2; ++i) {
    Store store(folder.path, true);
    EXPECT_EQ(store.find(entry("serial", "fused", 1, {}).key), nullptr);
    store.add(failed("serial", "fused", 1, RunStatus::failed));
  }
  int kept = 0, same = 0;
  for (const auto& old : fs::directory_iterator(folder.path))
    if (old.path().filename().string().starts_with("old-")) {
      ++kept;
      same += read_text(old.path() / "runs.jsonl") == before;
    }
  EXPECT_EQ(kept, 2);
  EXPECT_EQ(same, 1);
}

TEST(StoreTest, IsForOneAtATime) {
  TemporaryFolder folder;
  const Store first(folder.path, false);
  EXPECT_EQ(error_of([&] { Store(folder.path, false); }),
            folder.path.string() + ": expected a folder that no other boltzmark is using, found one at work in it");
}

}  // namespace
}  // namespace boltzmark
