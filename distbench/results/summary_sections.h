// Sections that the summary has beyond those of the public format, each with its title; none where
// it has nothing to say. See summary.h. Pure.
#ifndef DISTBENCH_RESULTS_SUMMARY_SECTIONS_H_
#define DISTBENCH_RESULTS_SUMMARY_SECTIONS_H_

#include <string>
#include <vector>

#include "distbench/config/plan.h"
#include "distbench/results/test_figures.h"

namespace distbench {

class TestResult;

// Mean, standard deviation and 99.99 % of the service times of each RPC.
std::vector<std::string> DescribeRpcStatistics(const Plan& plan, const TestFigures& figures);

// Response time, service time and lateness of each RPC that open loops sent.
std::vector<std::string> DescribeOpenLoops(const Plan& plan, const TestFigures& figures);

// Response time, service time and lateness of the RPCs of each replay trace.
std::vector<std::string> DescribeReplays(const TestFigures& figures);

// How long requests of each RPC waited at their servers, and how long they were handled.
std::vector<std::string> DescribeServers(const Plan& plan, const TestFigures& figures);

// One-way RPCs: how many were sent and how many served, and what their service times mean.
std::vector<std::string> DescribeOneWayRpcs(const Plan& plan, const TestFigures& figures,
                                            const TestResult& result);

// Service time and, for open loops, response time of iterations that are more than one RPC.
std::vector<std::string> DescribeIterations(const TestFigures& figures);

// Iterations of each activity that counts them, over all instances.
std::vector<std::string> DescribeActivities(const Plan& plan, const TestResult& result);

// What the drivers of each service counted, over all its instances.
std::vector<std::string> DescribeDrivers(const Plan& plan, const TestResult& result);

// CPU seconds of each process of nodes, and RPCs per CPU second: those that ended, warmup and
// failures too, and that an instance of the process sent or answered.
std::vector<std::string> DescribeCpu(const TestFigures& figures, const TestResult& result);

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_SUMMARY_SECTIONS_H_
