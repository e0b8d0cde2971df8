// Text aligned for a terminal.
#include <gtest/gtest.h>

#include <cmath>

#include "analysis/support/terminal.hpp"
#include "programs.hpp"

namespace boltzmark {
namespace {

using namespace boltzmark::testing;

TEST(TableTest, AlignsText) {
  Table table({{"name"}, {"first\nline", Align::right}, {"note"}});
  table.add_row({"a", "1", "x"});
  table.add_row({"größe", "12345", ""});
  EXPECT_EQ(table.text(),
            "       first\n"
            "name    line  note\n"
            "-----  -----  ----\n"
            "a          1  x\n"
            "größe  12345\n");
}

TEST(TableTest, CutsOnlyColumnsThatShrink) {
  Table table({{"device", Align::left, true}, {"n", Align::right}});
  table.add_row({"a long device name", "1"});
  EXPECT_EQ(table.text(15),
            "device        n\n"
            "------------  -\n"
            "a long devi…  1\n");
  EXPECT_EQ(table.text(3).substr(0, 12), "device    n\n");  // never below eight columns
}

TEST(TableTest, CutsTheWidestFirst) {
  Table table({{"a", Align::left, true}, {"b", Align::left, true}, {"c", Align::left, true}});
  table.add_row({"123456789", "123456789012", "1234"});
  EXPECT_EQ(table.text(25), "a         b          c\n--------  ---------  ----\n1234567…  12345678…  1234\n");
}

TEST(TableTest, ColumnsThatCanBeSparedGoBeforeNamesAreCut) {
  Table table({{"name", Align::left, true}, {"s", Align::right, false, 1}, {"t", Align::right}});
  table.add_row({"a long name of a run", "123", "4"});
  EXPECT_EQ(table.text(30),
            "name                    s  t\n--------------------  ---  -\na long name of a run  123  4\n");
  EXPECT_EQ(table.text(23), "name                  t\n--------------------  -\na long name of a run  4\n");
  EXPECT_EQ(table.text(20), "name               t\n-----------------  -\na long name of a…  4\n");
}

TEST(TableTest, WrapsText) {
  EXPECT_EQ(wrapped("one two  three", 7), "one two\nthree\n");
  EXPECT_EQ(wrapped("- one two three", 9, 2), "- one two\n  three\n");
  EXPECT_EQ(wrapped("averylongword x", 5), "averylongword\nx\n");
  EXPECT_EQ(wrapped("äöü äöü", 7), "äöü äöü\n");
  EXPECT_EQ(wrapped("", 7), "");
}

TEST(TableTest, KnowsTheWidthOfCharacters) {
  EXPECT_EQ(display_width("abc"), 3);
  EXPECT_EQ(display_width("äöü"), 3);
  EXPECT_EQ(display_width("e\u0301"), 1);  // combining accent
  EXPECT_EQ(display_width("漢字"), 4);
  EXPECT_EQ(display_width("\xff\xfe"), 2);  // no UTF-8: a byte a column
  EXPECT_EQ(shortened("漢字漢字", 5), "漢字…");
  EXPECT_EQ(shortened("abc", 3), "abc");
}

TEST(TableTest, RoundsToSignificantDigits) {
  EXPECT_EQ(significant(35.2149, 4), "35.21");
  EXPECT_EQ(significant(0.061234, 4), "0.06123");
  EXPECT_EQ(significant(9.9996, 4), "10.00");
  EXPECT_EQ(significant(124356.7, 4), "124357");
  EXPECT_EQ(significant(1.34e-6, 2), "1.3e-06");
  EXPECT_EQ(significant(0.0, 4), "0");
  EXPECT_EQ(significant(-2.5, 1), "-2");
  EXPECT_EQ(significant(std::nan(""), 4), "-");
  EXPECT_EQ(number_cell({}, 3) + number_cell(1.234, 3), "-1.23");
}

}  // namespace
}  // namespace boltzmark
