// The rules of the verdict. Each adds what it finds to the verdict; verdict.h says what each
// judges, and what is compared with what.
#ifndef DISTBENCH_RESULTS_VERDICT_RULES_H_
#define DISTBENCH_RESULTS_VERDICT_RULES_H_

#include <cstdint>
#include <string>

#include "distbench/config/verdict_thresholds.h"
#include "distbench/results/verdict_evidence.h"
#include "protos/verdict.pb.h"

namespace distbench {

// In verdict_load.cc: open loops.
void JudgeOfferedLoad(const TestEvidence& evidence, const VerdictThresholds& thresholds,
                      Verdict& verdict);
void JudgeLateness(const TestEvidence& evidence, const VerdictThresholds& thresholds,
                   Verdict& verdict);

// In verdict_nodes.cc: nodes, and the test as a whole.
void JudgeEnd(const TestEvidence& evidence, Verdict& verdict);
void JudgeCpu(const TestEvidence& evidence, const VerdictThresholds& thresholds, Verdict& verdict);
void JudgeStarts(const TestEvidence& evidence, const VerdictThresholds& thresholds,
                 Verdict& verdict);
void JudgeClocks(const TestEvidence& evidence, const VerdictThresholds& thresholds,
                 Verdict& verdict);

// In verdict_work.cc: whether what the test was made for was done.
void JudgeMeasured(const TestEvidence& evidence, Verdict& verdict);
void JudgeServed(const TestEvidence& evidence, const VerdictThresholds& thresholds,
                 Verdict& verdict);
void NoteCalibration(const TestEvidence& evidence, Verdict& verdict);

// In verdict_notes.cc: what does not invalidate.
void NoteSamplesLeftOut(const TestEvidence& evidence, Verdict& verdict);
void NoteLoweredPrecision(const TestEvidence& evidence, Verdict& verdict);
void NoteTooFewRpcs(const TestEvidence& evidence, const VerdictThresholds& thresholds,
                    Verdict& verdict);

Finding MakeFinding(Finding::Kind kind, double measured, const std::string& text);

// For texts: "63.5us", "12.3 %". No more digits than mean something.
std::string TimeText(double time_ns);
std::string PercentText(double fraction);

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_VERDICT_RULES_H_
