// Prints the golden file of a result that was made by hand:
//
//   bazel run //distbench/results:print_golden -- distbench/results/testdata/NAME.textproto

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "distbench/results/golden_summary.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: print_golden FILE.textproto\n";
    return 2;
  }
  // Where `bazel run` was typed.
  const char* directory = std::getenv("BUILD_WORKING_DIRECTORY");
  if (directory != nullptr && chdir(directory) != 0) {
    std::cerr << "cannot go to " << directory << "\n";
    return 1;
  }
  std::ifstream file(argv[1]);
  if (!file) {
    std::cerr << "cannot read " << argv[1] << "\n";
    return 1;
  }
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const auto golden = distbench::GoldenSummary(argv[1], text);
  if (!golden.ok()) {
    std::cerr << golden.status() << "\n";
    return 1;
  }
  std::cout << *golden;
  return 0;
}
