// The forms a table of the report is written in, byte by byte.
#include <gtest/gtest.h>

#include "analysis/report/report_table.hpp"
#include "analysis/support/latex.hpp"
#include "analysis/support/process.hpp"
#include "analysis/support/signals.hpp"
#include "common/base/error.hpp"
#include "programs.hpp"

namespace boltzmark {
namespace {

using namespace boltzmark::testing;
namespace fs = std::filesystem;

ReportTable small_table() {
  ReportTable table;
  table.id = "small";
  table.title = "Small & simple";
  table.caption = "Two rows.";
  table.source = "Nobody, Nothing (1 %)";
  table.columns = {
      {"device_name", Align::left, true}, {"measured\ns", Align::right}, {"ratio", Align::right}};
  table.rows = {{"a|b, c", number_cell(0.123456789012, 4), number_cell({}, 3)},
                {"[x] 50 %", number_cell(20.0, 4), "1:2"}};
  table.note("first: a_b");
  table.note("first: a_b");  // once is enough
  return table;
}

TEST(ReportWritersTest, WritesText) {
  EXPECT_EQ(report_text(small_table(), 40),
            "Small & simple\n"
            "Two rows.\n"
            "\n"
            "             measured\n"
            "device_name         s  ratio\n"
            "-----------  --------  -----\n"
            "a|b, c         0.1235      -\n"
            "[x] 50 %        20.00    1:2\n"
            "\n"
            "- first: a_b\n"
            "Published figures: Nobody, Nothing (1\n"
            "%).\n");
}

TEST(ReportWritersTest, WritesMarkdown) {
  EXPECT_EQ(report_markdown(small_table()),
            "## Small & simple\n"
            "\n"
            "Two rows.\n"
            "\n"
            "| device_name | measured s | ratio |\n"
            "| --- | ---: | ---: |\n"
            "| a\\|b, c | 0.1235 | - |\n"
            "| [x] 50 % | 20.00 | 1:2 |\n"
            "\n"
            "- first: a_b\n"
            "\n"
            "Published figures: Nobody, Nothing (1 %).\n");
}

TEST(ReportWritersTest, WritesCsvWithMoreDigits) {
  EXPECT_EQ(report_csv(small_table()),
            "device_name,measured s,ratio\n"
            "\"a|b, c\",0.123456789,\n"
            "[x] 50 %,20,1:2\n");
}

TEST(ReportWritersTest, WritesLatex) {
  EXPECT_EQ(report_latex(small_table()),
            R"(% needs \usepackage{booktabs,graphicx}
\begin{table}
  \centering
  \caption{Small \& simple. Two rows. Published figures: Nobody, Nothing (1 \%).}
  \label{tab:small}
  \footnotesize
  \resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%
  \begin{tabular}{lrr}
  \toprule
     & measured &  \\
    device\_name & s & ratio \\
  \midrule
    a\textbar{}b, c & 0.1235 & - \\
    {[}x] 50 \% & 20.00 & 1:2 \\
  \bottomrule
  \end{tabular}
  }
  \scriptsize
  \begin{itemize}
    \item first: a\_b
  \end{itemize}
\end{table}
)");
}

TEST(ReportWritersTest, LeavesOutWhatIsEmpty) {
  ReportTable table;
  table.id = table.title = "t";
  table.columns = {{"a"}};
  EXPECT_EQ(report_text(table), "t\n\na\n-\n");
  EXPECT_EQ(report_markdown(table), "## t\n\n| a |\n| --- |\n");
  EXPECT_FALSE(has(report_latex(table), "itemize"));
  EXPECT_TRUE(has(report_latex(table), "\\caption{t.}"));
}

TEST(ReportWritersTest, EscapesForLatex) {
  EXPECT_EQ(latex_text(R"(\{}&%$#_)"), R"(\textbackslash{}\{\}\&\%\$\#\_)");
  EXPECT_EQ(latex_text("a~b^c<d>e|f"),
            R"(a\textasciitilde{}b\textasciicircum{}c\textless{}d\textgreater{}e\textbar{}f)");
  EXPECT_EQ(latex_text("lbm --stream ---x a-b"), "lbm -{}-stream -{}-{}-x a-b");
  EXPECT_EQ(latex_text("[a] *b"), "{[}a] {*}b");
  EXPECT_EQ(latex_text("\"q\" `x'"), "''q'' \\textasciigrave{}x\\textquotesingle{}");
  EXPECT_EQ(latex_text("a\nb\tc\r"), "a b c");
  EXPECT_EQ(latex_text("Xeon\u00ae 2\u00d7\u2026 \u00e9"),
            "Xeon\\textregistered{} 2\\texttimes{}\\dots{} \u00e9");
}

TEST(ReportWritersTest, WritesEveryTableInThreeFiles) {
  TemporaryFolder folder;
  ReportTable second = small_table();
  second.id = "second";
  write_tables(folder.path, {small_table(), second});
  EXPECT_EQ(read_text(folder / "tables/small.md"), report_markdown(small_table()));
  EXPECT_EQ(read_text(folder / "tables/small.csv"), report_csv(small_table()));
  EXPECT_EQ(read_text(folder / "tables/second.tex"), report_latex(second));
  int files = 0;
  for (const auto& file : fs::directory_iterator(folder / "tables")) files += file.is_regular_file();
  EXPECT_EQ(files, 6);  // and no temporary one
  write_text(folder / "file", "");
  EXPECT_TRUE(has(error_of([&] { write_tables(folder / "file", {small_table()}); }), "file"));
}

TEST(ReportWritersTest, GoesIntoJsonAsItIsRead) {
  EXPECT_EQ(nlohmann::json(small_table().rows).dump(),
            R"([["a|b, c","0.1235","-"],["[x] 50 %","20.00","1:2"]])");
}

TEST(ReportWritersTest, CompilesWhereThereIsLatex) {
  if (find_program("pdflatex").empty()) GTEST_SKIP() << "no pdflatex here";
  TemporaryFolder folder;
  ReportTable table = small_table();
  table.rows.push_back({R"(\{}&%$#_~^<>|"`')", "--x", "*\u00d7\u2026\u00ae\u2122\u00b5"});
  write_tables(folder.path, {table});
  write_text(folder / "all.tex",
             fmt::format("\\documentclass{{article}}\n\\usepackage{{booktabs,graphicx}}\n"
                         "\\begin{{document}}\n\\input{{{}/tables/small}}\n\\end{{document}}\n",
                         folder.path.string()));
  const Outcome made =
      run_command({"pdflatex", "-draftmode", "-interaction=nonstopmode", "-halt-on-error",
                   "-output-directory", folder.path.string(), (folder / "all.tex").string()});
  EXPECT_EQ(made.status, 0) << made.output;
}

}  // namespace
}  // namespace boltzmark
