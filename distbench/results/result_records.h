// TestSequenceResults, or a test of them -> records. The opposite of results/result_assembler.
// Pure.
#ifndef DISTBENCH_RESULTS_RESULT_RECORDS_H_
#define DISTBENCH_RESULTS_RESULT_RECORDS_H_

#include <cstdint>

#include "absl/functional/function_ref.h"

namespace distbench {

class Provenance;
class ResultRecord;
class TestResult;
class TestSequenceResults;

using VisitRecord = absl::FunctionRef<void(ResultRecord)>;

// The first record of all.
ResultRecord HeaderRecord(const Provenance& writer);

// The records of a test from its begin to its samples, which follow if it has some; not its end.
// Returns how many samples that were.
int64_t VisitTest(TestResult test, VisitRecord visit);

ResultRecord TestEndRecord(int64_t samples);
ResultRecord FileEndRecord(int64_t tests);

// All of it, from header to file_end.
void VisitResults(TestSequenceResults results, const Provenance& writer, VisitRecord visit);

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_RESULT_RECORDS_H_
